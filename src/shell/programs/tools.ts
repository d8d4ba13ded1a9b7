import { ANY, type Program, program } from './Program.ts'

/** Tools that read, sort and pack files. */
export const tools: readonly Program[] = [
  program('hg', '--config --debugger --tool'),
  program('pandoc', '-F -L --filter --lua-filter --pdf-engine'), // GTFOBins
  program('fd fdfind', '-x -X --exec --exec-batch', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-d -e -E -t -S -o -c --max-depth --extension --exclude --type',
    flags: '-H -I -i -s -a -l -L -p -u -0 -q --hidden --no-ignore',
  }),
  program('rg', '--pre --hostname-bin', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-e -g -t -T -f -A -B -C -m -M -d -j -r -E --glob --type --regexp --max-count',
    flags: '-n -i -l -L -w -v -F -U -P -S -s -c -o -q -H -N -I -u -0 -x -a --hidden --no-ignore --files',
  }),
  program('ag ack', '--pager --ackrc'),
  program('delta', '--pager'),
  program('bat batcat', '--pager', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-l -r -H --language --line-range --style',
    flags: '-p -n -A -f -u --plain',
  }),
  program('sort', '--compress-program', {
    acceptsDoubleDash: true,
    valued: '-k -t -S -T -o --key',
    flags: '-b -d -f -g -h -i -M -n -r -R -V -c -C -m -s -u -z',
  }),
  // GTFOBins
  program('split', '--filter', {
    acceptsDoubleDash: true,
    valued: '-n -l -b -C -a -t',
    flags: '-d -x -e -u',
  }),
  program('diff3 sdiff', '--diff-program', { valued: '-o -I' }),
  program('install', '--strip-program', { valued: '-m -o -g -t -S' }),
  program(
    'man apropos whatis',
    [
      '-P --pager -H --html -T -C --config-file', // GTFOBins
      /\//, // man(1): troff macros of a file
    ],
    { valued: '-s -M -L -m' },
  ),
  program('less more most pg zless zmore bzless xzless', [
    /^\+/, // GTFOBins
    '--lesskey-file --lesskey-src --lesskey-content -k',
  ]),
  program('groff troff nroff', '-U -F -M -P -L -m', { valued: '-T -d -r' }),
  // file(1): runs uncompressors
  program('file', '-z -Z', {
    acceptsDoubleDash: true,
    valued: '-F -e -P',
    flags: '-b -i -L -h -k -n -N -p -r -v -0 --brief --mime --mime-type',
  }),
  program(
    'tar gtar bsdtar',
    [
      // GTFOBins, tar(1)
      '-F --to-command --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script',
      {
        options: '-I --use-compress-program',
        value: /^(?!(?:zstd(?:mt)?|xz|pixz|gzip|pigz|bzip2|pbzip2|lz4)(?: -[\w=-]+)*$)/,
      }, // they run nothing
      { in: '', words: /^[A-Za-z]*[IF][A-Za-z]*$/ }, // tar(1): options without a dash, `tar xIf x a.tar`
    ],
    {
      acceptsDoubleDash: true,
      valued: '-C -f -X -T --directory --file --exclude',
      flags: '-c -x -t -r -u -v -z -j -J -Z -a -p -h -k -m -O -S',
    },
  ),
  // GTFOBins
  program('zip', '-T -TT --unzip-command --test', { valued: '-b -t' }),
  program('cpio', '--rsh-command'),
  program('shar ar', '--plugin'),
  program('nm ranlib objdump size strip readelf', '--plugin'),
  program(
    'yq',
    [
      /\bsystem\s*\(/, // yq: system operator
      '--security-enable-system-operator',
    ],
    { valued: '-o -p -I' },
  ),
  program(
    'jq gojq jaq',
    [
      '-L --library-path', // jq(1): loads modules
      /\b(?:import|include)\s+"/,
    ],
    {
      acceptsDoubleDash: true,
      valued: '-L --library-path --indent',
      flags:
        '-r -c -e -s -n -S -M -C -a -j -R --tab --raw-output --compact-output --exit-status --slurp --null-input --raw-input --sort-keys',
      paired: '--arg --argjson --slurpfile --rawfile --argfile',
    },
  ),
  program('fzf sk', [{ options: '--preview --bind --with-shell --listen', words: /^--(?:preview|bind)/ }]),
  // ImageMagick delegates
  program('convert magick mogrify identify', [/^(?:msl|ephemeral|https?|url|delegate):/i]),
  // GTFOBins: a command of its own language runs programs
  program('ed red ex dc m4 telnet ftp lftp sftp gnuplot octave maxima mail mailx mutt cscope ispell joe', [ANY]),
  // ldd(1), ld(1): runs or loads what it is given
  program('ldd ld ld.bfd ld.gold ld.lld mold as', [ANY]),
  program('pydoc pydoc3', [ANY]), // imports what it describes
  program('vim vi view nvim gvim rvim vimdiff rview', [
    '-c -S -s -u -U -w -W --cmd --startuptime --servername --remote-expr --remote-send -l', // GTFOBins
    /^\+/, // GTFOBins
  ]),
  // GTFOBins
  program('emacs emacsclient', '-f -l -L -e --eval --execute --funcall --load --script --init-directory --batch'),
  program('nano pico rnano', '-s --speller -f --rcfile'), // GTFOBins
]
