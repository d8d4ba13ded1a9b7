import { type Program, program } from './Program.ts'

const GTFO = 'GTFOBins'

/** Tools that read, sort and pack files. */
export const tools: readonly Program[] = [
  program('hg', '--config --debugger --tool', 'hg(1)'),
  program('pandoc', '-F -L --filter --lua-filter --pdf-engine', GTFO),
  program('fd fdfind', '-x -X --exec --exec-batch', 'fd(1)', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-d -e -E -t -S -o -c --max-depth --extension --exclude --type',
  }),
  program('rg', '--pre --hostname-bin', 'rg(1)', {
    isExact: true,
    acceptsDoubleDash: true,
    valued: '-e -g -t -T -f -A -B -C -m -M -d -j -r -E --glob --type --regexp --max-count',
  }),
  program('ag ack', '--pager --ackrc', 'ack(1)'),
  program('bat batcat delta', '--pager', 'bat(1)', {
    acceptsDoubleDash: true,
    valued: '-l -r -H --language --line-range --style',
  }),
  program('sort', '--compress-program', 'sort(1)', { acceptsDoubleDash: true, valued: '-k -t -S -T -o --key' }),
  program('split', '--filter', GTFO, { acceptsDoubleDash: true, valued: '-n -l -b -C -a -t' }),
  program('diff3 sdiff', '--diff-program', 'sdiff(1)', { valued: '-o -I' }),
  program('install', '--strip-program', 'install(1)', { valued: '-m -o -g -t -S' }),
  {
    names: 'man apropos whatis',
    valued: '-s -M -L -m',
    starts: [
      { options: '-P --pager -H --html -T -C --config-file', source: GTFO },
      { words: /\//, source: 'man(1): troff macros of a file' },
    ],
  },
  {
    names: 'less more most pg zless zmore bzless xzless',
    starts: [
      { words: /^\+/, source: GTFO },
      { options: '--lesskey-file --lesskey-src --lesskey-content -k', source: 'less(1)' },
    ],
  },
  program('groff troff nroff', '-U -F -M -P -L -m', 'groff(1)', { valued: '-T -d -r' }),
  program('file', '-z -Z', 'file(1): runs uncompressors', { acceptsDoubleDash: true, valued: '-F -e -P' }),
  program(
    'tar gtar bsdtar',
    '-I -F --to-command --use-compress-program --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script',
    'GTFOBins, tar(1)',
    { valued: '-C -f -X -T --directory --file --exclude' },
  ),
  program('zip', '-T -TT --unzip-command --test', GTFO, { valued: '-b -t' }),
  program('cpio', '--rsh-command', 'cpio(1)'),
  program('shar ar', '--plugin', 'ar(1)'),
  program('nm ranlib objdump size strip readelf', '--plugin', 'nm(1)'),
  {
    names: 'yq',
    valued: '-o -p -I',
    starts: [
      { words: /\bsystem\s*\(/, source: 'yq: system operator' },
      { options: '--security-enable-system-operator', source: 'yq' },
    ],
  },
  {
    names: 'jq gojq jaq',
    acceptsDoubleDash: true,
    valued: '--indent',
    starts: [
      { options: '-L', source: 'jq(1): loads modules' },
      { words: /\b(?:import|include)\s+"/, source: 'jq(1)' },
    ],
  },
  { names: 'entr', starts: [{ any: true, source: 'entr(1)' }] },
  {
    names: 'fzf sk',
    starts: [{ options: '--preview --bind --with-shell --listen', words: /^--(?:preview|bind)/, source: 'fzf(1)' }],
  },
  {
    names: 'convert magick mogrify identify',
    starts: [{ words: /^(?:msl|ephemeral|https?|url|delegate):/i, source: 'ImageMagick delegates' }],
  },
  {
    names: 'ed red ex dc m4 gdb lldb telnet ftp lftp sftp gnuplot octave maxima mail mailx mutt cscope ispell joe',
    starts: [{ any: true, source: 'GTFOBins: a command of its own language runs programs' }],
  },
  {
    names: 'ldd ld ld.bfd ld.gold ld.lld mold as',
    starts: [{ any: true, source: 'ldd(1), ld(1): runs or loads what it is given' }],
  },
  { names: 'pydoc pydoc3', starts: [{ any: true, source: 'imports what it describes' }] },
  {
    names: 'vim vi view nvim gvim rvim vimdiff rview',
    starts: [
      { options: '-c -S -s -u -U -w -W --cmd --startuptime --servername --remote-expr --remote-send -l', source: GTFO },
      { words: /^\+/, source: GTFO },
    ],
  },
  program('emacs emacsclient', '-f -l -L -e --eval --execute --funcall --load --script --init-directory --batch', GTFO),
  program('nano pico rnano', '-s --speller -f --rcfile', GTFO),
]
