import { type Program, program, type Start } from './Program.ts'

const GTFO = 'GTFOBins'
const REMOTE = '-e --rsh --rsync-path'

const SSH_LIKE: readonly Start[] = [
  { options: '-S -F -D -I --ssh --client --server', source: 'scp(1), ssh-keygen(1)' },
  { options: '-o', value: /(?:command|provider|include|permitlocal)/i, source: 'ssh_config(5)' },
]

/** Programs that talk to other machines, databases and the system. */
export const network: readonly Program[] = [
  {
    names: 'ssh',
    valued: '-p -l -i -b -c -D -L -R -W -w -J -m -O -Q -B -e',
    starts: [
      { in: '*', options: '-F -I -E -S', source: 'ssh(1): configuration and libraries' },
      {
        in: '*',
        options: '-o',
        value: /(?:command|provider|include|sshconfig|xauthlocation|permitlocal|smartcard|proxyuse)/i,
        source: 'GTFOBins, ssh_config(5)',
      },
    ],
  },
  {
    names: 'scp',
    valued: '-P -i -l -c -J',
    starts: SSH_LIKE,
  },
  { names: 'ssh-keyscan ssh-keygen ssh-add', valued: '-f -t -b -N', starts: SSH_LIKE },
  { names: 'ssh-copy-id sshfs autossh mosh', starts: SSH_LIKE },
  program('rsync', `${REMOTE} -M --remote-option --daemon`, 'GTFOBins, rsync(1)', {
    valued: '-f --exclude --include --filter',
  }),
  program('rclone', '--password-command --config --sftp-ssh', 'rclone(1)'),
  program('curl', '-K --config --engine', 'curl(1): options and libraries from a file', {
    valued: '-o -H -d -X -u -A -e -b -c -F -m -T -w -x --data --header --request',
  }),
  program('wget wget2', '--use-askpass --config -e --execute', GTFO, { valued: '-O -o -P -U -e' }),
  program('nc ncat netcat', '-e -c --exec --sh-exec --lua-exec', GTFO, { valued: '-p -w -s' }),
  { names: 'socat', starts: [{ words: /(?:exec|system|shell)(?::|-)/i, source: GTFO }] },
  program('nmap', '--script --datadir --servicedb', GTFO),
  program('tcpdump', '-z', GTFO, { valued: '-i -r -c' }),
  { names: 'openssl', starts: [{ words: /^-(?:engine|provider|provider-path|config)$/, source: GTFO }] },
  program(
    'gpg gpg2',
    '--photo-viewer --agent-program --dirmngr-program --keyboxd-program --exec-path --options --pinentry-mode',
    'gpg(1)',
    { valued: '-u -r -o' },
  ),
  {
    names: 'psql',
    valued: '-h -p -U -d -v',
    starts: [
      { options: '-f --file', source: 'psql(1): a file may hold \\!' },
      { options: '-c --command', value: /\\!|\\o\s*\||\bprogram\b|\||\\ir?\b/i, source: GTFO },
      { options: '-o --output -L --log-file', value: /\|/, source: 'psql(1)' },
    ],
    needs: '-c -f -l --command --file --list --version --help',
  },
  {
    names: 'sqlite3',
    leastOperands: 2,
    starts: [
      { options: '-cmd -init', source: GTFO },
      {
        words: /\.(?:shell|system|load|import|once|output|excel|edit|read)\b|\b(?:load_extension|edit)\s*\(/i,
        source: GTFO,
      },
    ],
  },
  {
    names: 'mysql mariadb',
    needs: '-e --execute --version --help',
    starts: [
      { options: '--pager --defaults-file --defaults-extra-file --plugin-dir', source: GTFO },
      {
        options: '-e --execute',
        value: /(?:^|[;\s])(?:\\[!Pe.]|system|pager|edit|source)/i,
        source: 'GTFOBins, mysql(1): source reads a file',
      },
    ],
  },
  { names: 'duckdb', starts: [{ any: true, source: 'duckdb: .shell' }] },
  {
    names: 'systemctl journalctl loginctl busctl',
    starts: [
      { options: '-H --host', source: 'systemctl(1): runs ssh' },
      { in: 'link|enable|edit|set-environment|import-environment', any: true, source: GTFO },
    ],
  },
  {
    names: 'tmux screen',
    starts: [
      { in: '', options: '-c -f -S', source: GTFO },
      {
        in: 'new|new-session|new-window|neww|split-window|splitw|run|run-shell|if|if-shell|pipe-pane|pipep|respawn-pane|respawn-window|source|source-file|display-popup|popup|send-keys|send|bind|bind-key|set-hook|confirm-before|wait-for',
        any: true,
        source: GTFO,
      },
    ],
  },
  { names: 'crontab at batch', starts: [{ any: true, source: GTFO }] },
  {
    names: 'gh',
    starts: [
      {
        in: 'alias set|alias import|extension install|extension exec|extension create|ext install|ext exec',
        any: true,
        source: 'gh(1)',
      },
    ],
  },
  {
    names: 'aws gcloud az',
    starts: [{ in: 'configure set', words: /credential_process/, source: 'aws: credential_process' }],
  },
]
