import { type Program, program } from './Program.ts'

/** Tools that read, sort and pack files. */
export const tools: readonly Program[] = [
  program('hg', '--config --debugger --tool'),
  program('pandoc', '-F -L --filter --lua-filter --pdf-engine'), // GTFOBins
  program('fd fdfind', '-x -X --exec --exec-batch', {
    isExact: true,
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-d -e -E -t -S -o -c -j -C --max-depth --maxdepth --min-depth --exact-depth --extension --exclude --type --size --owner --color --threads --and --changed-within --changed-before --changed-after --change-newer-than --change-older-than --newer --older --max-buffer-time --max-results --base-directory --path-separator --search-path --ignore-file --batch-size --format',
  }),
  program('rg', '--pre --hostname-bin', {
    isExact: true,
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-e -g -t -T -f -A -B -C -m -M -d -j -r -E --glob --iglob --type --type-not --type-add --type-clear --regexp --file --max-count --max-columns --max-depth --maxdepth --max-filesize --after-context --before-context --context --color --colors --context-separator --field-context-separator --field-match-separator --path-separator --dfa-size-limit --regex-size-limit --encoding --engine --generate --hyperlink-format --ignore-file --pre-glob --replace --sort --sortr --threads',
  }),
  program('ag ack', '--pager --ackrc'),
  program('delta', '--pager'),
  program('bat batcat', '--pager', {
    isExact: true,
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-l -r -H -m --language --line-range --highlight-line --style --map-syntax --file-name --diff-context --tabs --wrap --terminal-width --color --italic-text --decorations --paging --theme --theme-dark --theme-light --ignored-suffix --squeeze-limit --strip-ansi --nonprintable-notation --binary --completion',
  }),
  program('sort', '--compress-program', {
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-k -t -S -T -o --key --field-separator --buffer-size --temporary-directory --output --parallel --batch-size --random-source --files0-from --sort',
  }),
  // GTFOBins
  program('split', '--filter', {
    acceptsDoubleDash: true,
    isComplete: true,
    valued: '-n -l -b -C -a -t --number --lines --bytes --line-bytes --suffix-length --separator --additional-suffix',
  }),
  program('diff3 sdiff', '--diff-program', { valued: '-o -I' }),
  program('install', '--strip-program', { valued: '-m -o -g -t -S' }),
  {
    names: 'man apropos whatis',
    valued: '-s -M -L -m',
    starts: [
      { options: '-P --pager -H --html -T -C --config-file' }, // GTFOBins
      { words: /\// }, // man(1): troff macros of a file
    ],
  },
  {
    names: 'less more most pg zless zmore bzless xzless',
    starts: [
      { words: /^\+/ }, // GTFOBins
      { options: '--lesskey-file --lesskey-src --lesskey-content -k' },
    ],
  },
  program('groff troff nroff', '-U -F -M -P -L -m', { valued: '-T -d -r' }),
  // file(1): runs uncompressors
  program('file', '-z -Z', {
    acceptsDoubleDash: true,
    isComplete: true,
    valued: '-F -e -P -f -m --separator --exclude --exclude-quiet --parameter --files-from --magic-file',
  }),
  {
    names: 'tar gtar bsdtar',
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-C -f -X -T -b -g -H -K -L -N -V --directory --file --files-from --exclude --exclude-from --exclude-ignore --exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --add-file --after-date --newer --newer-mtime --blocking-factor --record-size --format --group --group-map --owner --owner-map --hole-detection --index-file --label --level --listed-incremental --mode --mtime --no-quote-chars --quote-chars --quoting-style --sort --sparse-version --starting-file --strip-components --suffix --tape-length --transform --xform --volno-file --warning --xattrs-exclude --xattrs-include --pax-option',
    starts: [
      {
        options: '-F --to-command --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script',
        // GTFOBins, tar(1)
      },
      {
        options: '-I --use-compress-program',
        value: /^(?!(?:zstd(?:mt)?|xz|pixz|gzip|pigz|bzip2|pbzip2|lz4)(?: -[\w=-]+)*$)/, // they run nothing
      },
      { in: '', words: /^[A-Za-z]*[IF][A-Za-z]*$/ }, // tar(1): options without a dash, `tar xIf x a.tar`
    ],
  },
  // GTFOBins
  program('zip', '-T -TT --unzip-command --test', { valued: '-b -t' }),
  program('cpio', '--rsh-command'),
  program('shar ar', '--plugin'),
  program('nm ranlib objdump size strip readelf', '--plugin'),
  {
    names: 'yq',
    valued: '-o -p -I',
    starts: [
      { words: /\bsystem\s*\(/ }, // yq: system operator
      { options: '--security-enable-system-operator' },
    ],
  },
  {
    names: 'jq gojq jaq',
    acceptsDoubleDash: true,
    isComplete: true,
    valued: '-L --library-path --indent',
    paired: '--arg --argjson --slurpfile --rawfile --argfile',
    starts: [
      { options: '-L --library-path' }, // jq(1): loads modules
      { words: /\b(?:import|include)\s+"/ },
    ],
  },
  {
    names: 'fzf sk',
    starts: [{ options: '--preview --bind --with-shell --listen', words: /^--(?:preview|bind)/ }],
  },
  {
    names: 'convert magick mogrify identify',
    starts: [{ words: /^(?:msl|ephemeral|https?|url|delegate):/i }], // ImageMagick delegates
  },
  {
    names: 'ed red ex dc m4 telnet ftp lftp sftp gnuplot octave maxima mail mailx mutt cscope ispell joe',
    starts: [{ any: true }], // GTFOBins: a command of its own language runs programs
  },
  {
    names: 'ldd ld ld.bfd ld.gold ld.lld mold as',
    starts: [{ any: true }], // ldd(1), ld(1): runs or loads what it is given
  },
  { names: 'pydoc pydoc3', starts: [{ any: true }] }, // imports what it describes
  {
    names: 'vim vi view nvim gvim rvim vimdiff rview',
    starts: [
      { options: '-c -S -s -u -U -w -W --cmd --startuptime --servername --remote-expr --remote-send -l' }, // GTFOBins
      { words: /^\+/ }, // GTFOBins
    ],
  },
  program('emacs emacsclient', '-f -l -L -e --eval --execute --funcall --load --script --init-directory --batch'), // GTFOBins
  program('nano pico rnano', '-s --speller -f --rcfile'), // GTFOBins
]
