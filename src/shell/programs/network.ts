import { ANY, first, type Program, program, type Starts, within } from './Program.ts'

const SSH_LIKE: Starts = [
  '-S -F -D --ssh --client --server', // scp(1)
  { options: '-o', value: /(?:command|provider|include|permitlocal)/i }, // ssh_config(5)
]

/** Programs that talk to other machines, databases and the system. */
export const network: readonly Program[] = [
  program(
    'ssh',
    [
      { in: '*', options: '-F -I -E -S' }, // ssh(1): configuration and libraries
      {
        in: '*',
        options: '-o',
        value: /(?:command|provider|include|sshconfig|xauthlocation|permitlocal|smartcard|proxyuse)/i,
      }, // GTFOBins, ssh_config(5)
    ],
    { valued: '-p -l -i -b -c -D -L -R -W -w -J -m -O -Q -B -P -e' },
  ),
  program('scp', SSH_LIKE, { valued: '-P -i -l -c -J' }),
  program('ssh-keygen', '-D -w', { valued: '-C -F -I -N -P -R -f -t -b' }), // ssh-keygen(1): libraries
  program('ssh-add', '-S -s', { valued: '-t -E' }), // ssh-add(1): libraries
  program('ssh-copy-id sshfs autossh mosh', SSH_LIKE),
  // GTFOBins, rsync(1)
  program('rsync', '-e --rsh --rsync-path -M --remote-option --daemon', { valued: '-f --exclude --include --filter' }),
  program('rclone', '--password-command --config --sftp-ssh'),
  // curl(1): options and libraries from a file
  program('curl', '-K --config --engine', {
    acceptsDoubleDash: true,
    valued: '-o -H -d -X -u -A -e -b -c -F -m -T -w -x --data --header --request --output --max-time',
    flags: '-s -S -L -f -k -v -i -I -O -J -g -G -N --silent --show-error --fail --location --compressed --insecure',
  }),
  // GTFOBins
  program('wget wget2', '--use-askpass --config -e --execute', {
    acceptsDoubleDash: true,
    valued: '-O -o -P -U -e -T -t',
    flags: '-q -c -N -S -nv --quiet --no-verbose',
  }),
  // GTFOBins
  program('nc ncat netcat', '-e -c --exec --sh-exec --lua-exec', { valued: '-p -w -s' }),
  program('nmap', '--script --datadir --servicedb'), // GTFOBins
  // GTFOBins
  program('tcpdump', '-z', { valued: '-i -r -c' }),
  program('openssl', [
    /^--?(?:engine|provider|provider-path|config)(?:=|$)/, // GTFOBins
    within('engine'), // openssl-engine(1): `-pre LOAD`
  ]),
  program(
    'gpg gpg2',
    '--photo-viewer --agent-program --dirmngr-program --keyboxd-program --exec-path --options --pinentry-mode',
    { valued: '-u -r -o' },
  ),
  program(
    'psql',
    [
      '-f --file', // psql(1): a file may hold `\!`
      {
        options: '-c --command',
        value: /\\(?:!|(?:e(?:dit|[fv])?|i(?:r|nclude\w*)?)(?![a-z])|[\s\S]*\|)|`|\bcopy\b[\s\S]*\bprogram\b/i,
      }, // GTFOBins, psql(1)
      { options: '-o --output -L --log-file', value: /\|/ },
    ],
    {
      valued:
        '-h -p -U -d -v -F -P -R -T --host --port --username --dbname --set --variable --pset --field-separator --record-separator --table-attr',
      needs: /^(?:-[AaEeHnqSstVXxzw0-9]*[cfl]|--(?:command|file|list|version|help)\b)/,
    },
  ),
  program(
    'sqlite3',
    [
      '-cmd -init', // GTFOBins
      // GTFOBins; its commands may be shortened
      /(?:^|\s)\.(?:she?l?l?|sy[a-z]*|loa?d?|i(?:m[a-z]*)?|on?c?e?|ou[a-z]*|excel|edit|w+|rea?d?)(?:\s|$)|\b(?:load_extension|edit)\s*\(/i,
    ],
    {
      valued: '-separator -newline -nullvalue -maxsize -mmap -vfs -nonce -key -hexkey -textkey -cmd -init',
      paired: '-lookaside -pagecache',
      leastOperands: 2,
    },
  ),
  program(
    'mysql mariadb',
    [
      '--pager --defaults-file --defaults-extra-file --plugin-dir', // GTFOBins
      // GTFOBins, mysql(1): source reads a file
      { options: '-e --execute', value: /(?:^|[;\s])(?:\\[!Pe.]|(?:system|pager|edit|source)\b)/i },
    ],
    { needs: /^(?:-[ABbNnrstv]*e|--(?:execute|version|help)\b)/ },
  ),
  program('duckdb', [ANY]), // duckdb: .shell
  program('systemctl journalctl loginctl busctl', [
    '-H --host', // systemctl(1): runs ssh
    within('link|enable|edit|set-environment|import-environment'), // GTFOBins
  ]),
  program(
    'tmux',
    [
      first('-c -f -S'), // GTFOBins
      {
        in: '',
        words:
          /^(?!-|(?:ls|lsb|lsc|lsp|lsw|list-\w+|has|has-session|kill-\w+|killp|killw|capture-pane|capturep|show\w*(?:-\w+)*|display|display-message|start|start-server)$)/,
      }, // GTFOBins: others run commands, and all may be shortened
      /;$|#\(/, // tmux(1): the next command, and a command in a format
    ],
    { valued: '-L -S -T -c -f' },
  ),
  program('screen', [/^(?!-(?:ls|list|v|wipe)$)/]), // GTFOBins
  program('gh', [
    within(
      'alias set|alias import|extension install|extension exec|extension create|ext install|ext exec|codespace ssh|cs ssh|codespace cp|cs cp',
    ),
    { in: 'config set', words: /^(?:pager|editor|browser)$/ },
    // gh(1): options of git after `--`
    { in: 'repo clone|repo fork|gist clone', words: /^(?:-\w*[cu]|--(?:conf|up|te))/ },
  ]),
  // aws: credential_process
  program('aws gcloud az', [{ in: 'configure set', words: /credential_process/ }]),
]
