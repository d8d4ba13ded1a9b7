import { type Program, program, type Start } from './Program.ts'

const REMOTE = '-e --rsh --rsync-path'

/** Source: curl --help all. */
const CURL_VALUED =
  '-E -C -b -c -d -D -F -P -H -m -o -U -Q -r -e -X -Y -y -t -z -T -u -A -w -x --abstract-unix-socket --alt-svc --aws-sigv4 --cacert --capath --cert --cert-type --ciphers --connect-timeout --connect-to --continue-at --cookie --cookie-jar --create-file-mode --crlfile --curves --data --data-ascii --data-binary --data-raw --data-urlencode --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --dump-header --egd-file --etag-compare --etag-save --expect100-timeout --form --form-string --ftp-account --ftp-alternative-to-user --ftp-method --ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --haproxy-clientip --header --hostpubmd5 --hostpubsha256 --hsts --interface --ip-tos --ipfs-gateway --json --keepalive-cnt --keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --max-time --netrc-file --noproxy --oauth2-bearer --output --output-dir --parallel-max --pass --pinnedpubkey --preproxy --proto --proto-default --proto-redir --proxy --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy-user --proxy1.0 --pubkey --quote --random-file --range --rate --referer --request --request-target --resolve --retry --retry-delay --retry-max-time --sasl-authzid --service-name --socks4 --socks4a --socks5 --socks5-gssapi-service --socks5-hostname --speed-limit --speed-time --stderr --telnet-option --tftp-blksize --time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace --trace-ascii --trace-config --unix-socket --upload-file --url --url-query --user --user-agent --variable --vlan-priority --write-out'

const SSH_LIKE: readonly Start[] = [
  { options: '-S -F -D --ssh --client --server' }, // scp(1)
  { options: '-o', value: /(?:command|provider|include|permitlocal)/i }, // ssh_config(5)
]

/** Programs that talk to other machines, databases and the system. */
export const network: readonly Program[] = [
  {
    names: 'ssh',
    valued: '-p -l -i -b -c -D -L -R -W -w -J -m -O -Q -B -P -e',
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
  { names: 'ssh-keygen', valued: '-C -F -I -N -P -R -f -t -b', starts: [{ options: '-D -w' }] }, // ssh-keygen(1): libraries
  { names: 'ssh-add', valued: '-t -E', starts: [{ options: '-S -s' }] }, // ssh-add(1): libraries
  { names: 'ssh-copy-id sshfs autossh mosh', starts: SSH_LIKE },
  // GTFOBins, rsync(1)
  program('rsync', `${REMOTE} -M --remote-option --daemon`, {
    valued: '-f --exclude --include --filter',
  }),
  program('rclone', '--password-command --config --sftp-ssh'),
  // curl(1): options and libraries from a file
  program('curl', '-K --config --engine', {
    acceptsDoubleDash: true,
    isComplete: true,
    valued: CURL_VALUED,
  }),
  // GTFOBins
  program('wget wget2', '--use-askpass --config -e --execute', {
    acceptsDoubleDash: true,
    isComplete: true,
    valued:
      '-O -o -P -U -e -a -i -B -t -T -w -Q -l -A -R -D -I -X --output-document --output-file --append-output --report-speed --input-file --base --rejected-log --tries --retry-on-http-error --start-pos --progress --timeout --dns-timeout --connect-timeout --read-timeout --wait --waitretry --quota --bind-address --limit-rate --restrict-file-names --prefer-family --user --password --local-encoding --remote-encoding --directory-prefix --cut-dirs --http-user --http-password --default-page --header --compression --proxy-user --proxy-password --referer --user-agent --load-cookies --save-cookies --post-data --post-file --method --body-data --body-file --secure-protocol --certificate --certificate-type --private-key --private-key-type --ca-certificate --ca-directory --crl-file --pinnedpubkey --ciphers --ftp-user --ftp-password --warc-file --warc-header --warc-max-size --warc-dedup --warc-tempdir --level --accept --reject --accept-regex --reject-regex --regex-type --domains --exclude-domains --follow-tags --ignore-tags --include-directories --exclude-directories',
  }),
  // GTFOBins
  program('nc ncat netcat', '-e -c --exec --sh-exec --lua-exec', { valued: '-p -w -s' }),
  program('nmap', '--script --datadir --servicedb'), // GTFOBins
  // GTFOBins
  program('tcpdump', '-z', { valued: '-i -r -c' }),
  {
    names: 'openssl',
    starts: [
      { words: /^--?(?:engine|provider|provider-path|config)(?:=|$)/ }, // GTFOBins
      { in: 'engine', any: true }, // openssl-engine(1): `-pre LOAD`
    ],
  },
  program(
    'gpg gpg2',
    '--photo-viewer --agent-program --dirmngr-program --keyboxd-program --exec-path --options --pinentry-mode',
    { valued: '-u -r -o' },
  ),
  {
    names: 'psql',
    valued:
      '-h -p -U -d -v -F -P -R -T --host --port --username --dbname --set --variable --pset --field-separator --record-separator --table-attr',
    starts: [
      { options: '-f --file' }, // psql(1): a file may hold `\!`
      {
        options: '-c --command',
        value: /\\(?:!|(?:e(?:dit|[fv])?|i(?:r|nclude\w*)?)(?![a-z])|[\s\S]*\|)|`|\bcopy\b[\s\S]*\bprogram\b/i,
      }, // GTFOBins, psql(1)
      { options: '-o --output -L --log-file', value: /\|/ },
    ],
    needs: /^(?:-[AaEeHnqSstVXxzw0-9]*[cfl]|--(?:command|file|list|version|help)\b)/,
  },
  {
    names: 'sqlite3',
    valued: '-separator -newline -nullvalue -maxsize -mmap -vfs -nonce -key -hexkey -textkey -cmd -init',
    paired: '-lookaside -pagecache',
    leastOperands: 2,
    starts: [
      { options: '-cmd -init' }, // GTFOBins
      {
        words:
          /(?:^|\s)\.(?:she?l?l?|sy[a-z]*|loa?d?|i(?:m[a-z]*)?|on?c?e?|ou[a-z]*|excel|edit|w+|rea?d?)(?:\s|$)|\b(?:load_extension|edit)\s*\(/i,
        // GTFOBins; its commands may be shortened
      },
    ],
  },
  {
    names: 'mysql mariadb',
    needs: /^(?:-[ABbNnrstv]*e|--(?:execute|version|help)\b)/,
    starts: [
      { options: '--pager --defaults-file --defaults-extra-file --plugin-dir' }, // GTFOBins
      {
        options: '-e --execute',
        value: /(?:^|[;\s])(?:\\[!Pe.]|(?:system|pager|edit|source)\b)/i,
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
    names: 'tmux',
    valued: '-L -S -T -c -f',
    starts: [
      { in: '', options: '-c -f -S' }, // GTFOBins
      {
        in: '',
        words:
          /^(?!-|(?:ls|lsb|lsc|lsp|lsw|list-\w+|has|has-session|kill-\w+|killp|killw|capture-pane|capturep|show\w*(?:-\w+)*|display|display-message|start|start-server)$)/,
        // GTFOBins: others run commands, and all may be shortened
      },
      { words: /;$|#\(/ }, // tmux(1): the next command, and a command in a format
    ],
  },
  { names: 'screen', starts: [{ words: /^(?!-(?:ls|list|v|wipe)$)/ }] }, // GTFOBins
  {
    names: 'gh',
    starts: [
      {
        in: 'alias set|alias import|extension install|extension exec|extension create|ext install|ext exec|codespace ssh|cs ssh|codespace cp|cs cp',
        any: true,
      },
      { in: 'config set', words: /^(?:pager|editor|browser)$/ },
      { in: 'repo clone|repo fork|gist clone', words: /^(?:-\w*[cu]|--(?:conf|up|te))/ }, // gh(1): options of git after `--`
    ],
  },
  {
    names: 'aws gcloud az',
    starts: [{ in: 'configure set', words: /credential_process/ }], // aws: credential_process
  },
]
