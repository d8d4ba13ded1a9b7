import { type Program, program, type Start } from './Program.ts'

const REMOTE = '-e --rsh --rsync-path'

const SSH_LIKE: readonly Start[] = [
  { options: '-S -F -D -I --ssh --client --server' }, // scp(1), ssh-keygen(1)
  { options: '-o', value: /(?:command|provider|include|permitlocal)/i }, // ssh_config(5)
]

/** Programs that talk to other machines, databases and the system. */
export const network: readonly Program[] = [
  {
    names: 'ssh',
    valued: '-p -l -i -b -c -D -L -R -W -w -J -m -O -Q -B -e',
    starts: [
      { in: '*', options: '-F -I -E -S' }, // ssh(1): configuration and libraries
      {
        in: '*',
        options: '-o',
        value: /(?:command|provider|include|sshconfig|xauthlocation|permitlocal|smartcard|proxyuse)/i,
        // GTFOBins, ssh_config(5)
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
  // GTFOBins, rsync(1)
  program('rsync', `${REMOTE} -M --remote-option --daemon`, {
    valued: '-f --exclude --include --filter',
  }),
  program('rclone', '--password-command --config --sftp-ssh'),
  // curl(1): options and libraries from a file
  program('curl', '-K --config --engine', {
    valued: '-o -H -d -X -u -A -e -b -c -F -m -T -w -x --data --header --request',
  }),
  // GTFOBins
  program('wget wget2', '--use-askpass --config -e --execute', { valued: '-O -o -P -U -e' }),
  // GTFOBins
  program('nc ncat netcat', '-e -c --exec --sh-exec --lua-exec', { valued: '-p -w -s' }),
  program('nmap', '--script --datadir --servicedb'), // GTFOBins
  // GTFOBins
  program('tcpdump', '-z', { valued: '-i -r -c' }),
  { names: 'openssl', starts: [{ words: /^-(?:engine|provider|provider-path|config)$/ }] }, // GTFOBins
  program(
    'gpg gpg2',
    '--photo-viewer --agent-program --dirmngr-program --keyboxd-program --exec-path --options --pinentry-mode',
    { valued: '-u -r -o' },
  ),
  {
    names: 'psql',
    valued: '-h -p -U -d -v',
    starts: [
      { options: '-f --file' }, // psql(1): a file may hold `\!`
      { options: '-c --command', value: /\\!|\\o\s*\||\bprogram\b|\||\\ir?\b/i }, // GTFOBins
      { options: '-o --output -L --log-file', value: /\|/ },
    ],
    needs: '-c -f -l --command --file --list --version --help',
  },
  {
    names: 'sqlite3',
    leastOperands: 2,
    starts: [
      { options: '-cmd -init' }, // GTFOBins
      {
        words: /\.(?:shell|system|load|import|once|output|excel|edit|read)\b|\b(?:load_extension|edit)\s*\(/i,
        // GTFOBins
      },
    ],
  },
  {
    names: 'mysql mariadb',
    needs: '-e --execute --version --help',
    starts: [
      { options: '--pager --defaults-file --defaults-extra-file --plugin-dir' }, // GTFOBins
      {
        options: '-e --execute',
        value: /(?:^|[;\s])(?:\\[!Pe.]|system|pager|edit|source)/i,
        // GTFOBins, mysql(1): source reads a file
      },
    ],
  },
  { names: 'duckdb', starts: [{ any: true }] }, // duckdb: .shell
  {
    names: 'systemctl journalctl loginctl busctl',
    starts: [
      { options: '-H --host' }, // systemctl(1): runs ssh
      { in: 'link|enable|edit|set-environment|import-environment', any: true }, // GTFOBins
    ],
  },
  {
    names: 'tmux screen',
    starts: [
      { in: '', options: '-c -f -S' }, // GTFOBins
      {
        in: 'new|new-session|new-window|neww|split-window|splitw|run|run-shell|if|if-shell|pipe-pane|pipep|respawn-pane|respawn-window|source|source-file|display-popup|popup|send-keys|send|bind|bind-key|set-hook|confirm-before|wait-for',
        any: true,
        // GTFOBins
      },
    ],
  },
  {
    names: 'gh',
    starts: [
      {
        in: 'alias set|alias import|extension install|extension exec|extension create|ext install|ext exec',
        any: true,
      },
    ],
  },
  {
    names: 'aws gcloud az',
    starts: [{ in: 'configure set', words: /credential_process/ }], // aws: credential_process
  },
]
