import type { Program } from './Program.ts'

const GTFO = 'GTFOBins'

/** Tools that read, sort and pack files. */
export const tools: readonly Program[] = [
  {
    names: 'fd fdfind',
    valued: '-d -e -E -t -S -o -c --max-depth --extension --exclude --type',
    starts: [{ options: '-x -X --exec --exec-batch', source: 'fd(1)' }],
  },
  {
    names: 'rg',
    valued: '-e -g -t -T -f -A -B -C -m -M -d -j -r -E --glob --type --regexp --max-count',
    starts: [{ options: '--pre --hostname-bin', source: 'rg(1)' }],
  },
  { names: 'ag ack', valued: '-A -B -C -m -g -G', starts: [{ options: '--pager --ackrc', source: 'ack(1)' }] },
  {
    names: 'bat batcat delta',
    valued: '-l -r -H --language --line-range --style',
    starts: [{ options: '--pager', source: 'bat(1)' }],
  },
  { names: 'sort', valued: '-k -t -S -T -o --key', starts: [{ options: '--compress-program', source: 'sort(1)' }] },
  { names: 'split', valued: '-n -l -b -C -a -t', starts: [{ options: '--filter', source: GTFO }] },
  { names: 'diff3 sdiff', valued: '-o -I', starts: [{ options: '--diff-program', source: 'sdiff(1)' }] },
  { names: 'install', valued: '-m -o -g -t -S', starts: [{ options: '--strip-program', source: 'install(1)' }] },
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
  { names: 'groff troff nroff', valued: '-T -d -r', starts: [{ options: '-U -F -M -P -L -m', source: 'groff(1)' }] },
  { names: 'file', valued: '-F -e -P', starts: [{ options: '-z -Z', source: 'file(1): runs uncompressors' }] },
  {
    names: 'tar gtar bsdtar',
    valued: '-C -f -X -T --directory --file --exclude',
    starts: [
      {
        options:
          '-I -F --to-command --use-compress-program --checkpoint-action --rsh-command --rmt-command --info-script --new-volume-script',
        source: 'GTFOBins, tar(1)',
      },
    ],
  },
  { names: 'zip', valued: '-x -i -b -t', starts: [{ options: '-T -TT --unzip-command --test', source: GTFO }] },
  { names: 'cpio', starts: [{ options: '--rsh-command', source: 'cpio(1)' }] },
  { names: 'shar ar', valued: '', starts: [{ options: '--plugin', source: 'ar(1)' }] },
  { names: 'nm ranlib objdump size strip readelf', starts: [{ options: '--plugin', source: 'nm(1)' }] },
  { names: 'csvtool', starts: [{ in: 'call', any: true, source: GTFO }] },
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
    valued: '--indent --tab',
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
    names: 'pandoc',
    starts: [{ options: '-F -L --filter --lua-filter --pdf-engine --data-dir -d --defaults', source: GTFO }],
  },
  {
    names: 'convert magick mogrify identify',
    starts: [{ words: /^(?:msl|ephemeral|https?|url|delegate):/i, source: 'ImageMagick delegates' }],
  },
  {
    names: 'exiftool',
    starts: [{ options: '-if -p -config', words: /^-(?:if|config|p)$/, source: 'exiftool(1): Perl expressions' }],
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
    valued: '',
    starts: [
      { options: '-c -S -s -u -U -w -W --cmd --startuptime --servername --remote-expr --remote-send -l', source: GTFO },
      { words: /^\+/, source: GTFO },
    ],
  },
  {
    names: 'emacs emacsclient',
    starts: [
      { options: '-f -l -L -e --eval --execute --funcall --load --script --init-directory --batch', source: GTFO },
    ],
  },
  { names: 'nano pico rnano', starts: [{ options: '-s --speller -f --rcfile', source: GTFO }] },
  {
    names: 'hg',
    starts: [
      {
        options: '--config --debugger --tool --template',
        value: /^(?:alias|hooks|extensions|merge-tools|ui|extdiff|pager|diff-tools)\.|^.*=/,
        source: 'hg(1)',
      },
      { in: 'bisect', options: '-c --command', source: 'hg(1)' },
      { in: 'clone|pull|push|incoming|outgoing|in|out|identify', options: '-e --ssh --remotecmd', source: 'hg(1)' },
      { in: 'extdiff', any: true, source: 'hg(1)' },
    ],
  },
  {
    names: 'svn',
    starts: [{ options: '--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd', source: 'svn(1)' }],
  },
]
