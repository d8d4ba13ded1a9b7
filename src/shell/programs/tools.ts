import { type Program, program } from './Program.ts'

/** Tools that read, sort and pack files. */
export const tools: readonly Program[] = [
  program('hg', '--config --debugger --tool'),
  program('pandoc', '-F -L --filter --lua-filter --pdf-engine'), // GTFOBins
  program('fd fdfind', '-x -X --exec --exec-batch', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-d -e -E -t -S -o -c --max-depth --extension --exclude --type',
  }),
  program('rg', '--pre --hostname-bin', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-e -g -t -T -f -A -B -C -m -M -d -j -r -E --glob --type --regexp --max-count',
  }),
  program('ag ack', '--pager --ackrc'),
  program('bat batcat delta', '--pager', {
    acceptsDoubleDash: true,
    valued: '-l -r -H --language --line-range --style',
  }),
  program('sort', '--compress-program', { acceptsDoubleDash: true, valued: '-k -t -S -T -o --key' }),
  // GTFOBins
  program('split', '--filter', { acceptsDoubleDash: true, valued: '-n -l -b -C -a -t' }),
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
  program('file', '-z -Z', { acceptsDoubleDash: true, valued: '-F -e -P' }),
  // GTFOBins, tar(1)
  program(
    'tar gtar bsdtar',
    '-I -F --to-command --use-compress-program --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script',
    { valued: '-C -f -X -T --directory --file --exclude' },
  ),
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
    valued: '--indent',
    starts: [
      { options: '-L' }, // jq(1): loads modules
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
