import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

/** What the clients' own commands and the server's run, read or write. */
const SQL_PROGRAMS =
  /\\|\bprogram\b|\bsystem\b|\bdo\s*(?:\$|'|e'|language)|\bexecute\b|\bprepare\b|\bcopy\b(?!.*\bto\s+stdout\b)|\blo_\w+|\blanguage\b|\bload\b|\bsoname\b|\bextension\b|sslkey|^-\w*f|^--file|outfile|dumpfile|(?:^|[;=\n]|^-\w*e)\s*(?:tee|pager|source|edit)\b/i

const KUSTOMIZE = 'enable-helm|helm-command|load-restrictor|enable-alpha-plugins|enable-exec|mount|network'

/** Clients of databases and clusters, tools for keys, and packers. */
export const clientOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'psql',
    {
      only: `--command --csv --dbname --echo-* --expanded --field-separator --help --host --html --list --no-align --no-password
        --no-psqlrc --password --port --pset --quiet --record-separator --set --single-transaction --tuples-only --username
        --variable --version [01aAbc:d:eEF:h:Hlp:P:qR:tT:U:v:VwWxXz]`,
      words: SQL_PROGRAMS,
      needs: /^-\w*c|^--command|^-\w*l$|^--(?:list|version|help)/,
    },
  ],
  [
    'mysql mariadb',
    {
      only: `--batch --column-names --database --default-character-set --execute --help --host --html --no-auto-rehash
        --password --port --protocol --raw --silent --skip-column-names --skip-ssl --socket --ssl-mode --table --user --verbose
        --version --vertical --xml [ABD:e:Eh:HNp:P:rsS:tu:vVX]`,
      words: SQL_PROGRAMS,
      needs: /^-\w*e|^--execute|^--(?:version|help)/,
    },
  ],
  [
    'kubectl',
    {
      only: `--all --all-containers --all-namespaces --chunk-size --client --cluster --container --containers --context --cpu
        --dry-run --field-selector --filename --follow --for --force --grace-period --help --ignore-not-found
        --label-columns --limit-bytes --max-log-requests --namespace --no-headers --output --overwrite --prefix --previous
        --recursive --replicas --request-timeout --revision --selector --server-side --short --show-kind --show-labels --since
        --since-time --sort-by --subresource --tail --timeout --timestamps --type --types --user --verbs --wait --warnings-as-errors
        --watch --watch-only -ojson* -oyaml -owide -oname -o [Ac:f:hil:L:n:pRtv:w]`,
      words: named(KUSTOMIZE),
      pairs: /^config (?!view|get-|current)/,
      ends: true,
    },
  ],
  // Settings name what runs.
  [
    'gh',
    {
      isOpen: true,
      words: /^--(?:upload|template|conf)|^-c$|^(?:core|filter|http|remote|init)\.|^(?:codespace|cs)$/,
      pairs: /^(?:config|alias|extension|extensions|ext) (?!list|get|ls|search)/,
    },
  ],
  [
    'aws gcloud',
    {
      isOpen: true,
      words: /^(?:ssh|scp|socks|tpu-vm)$|^--(?:ssh-|scp-|flag)/,
      pairs: /^(?:configure|config) (?!list|get)/,
    },
  ],
  [
    'poetry conda mamba pdm uv',
    {
      isOpen: true,
      // An interpreter by its path.
      words: /^--python=.*[/\\]/,
      pairs: /^(?:config|self|plugin) (?!show|list|get|version)|^(?:--python|-p) .*[/\\]/,
    },
  ],
  [
    'helm',
    {
      only: `--all --all-namespaces --api-versions --atomic --create-namespace --date --debug --dependency-update --devel --dry-run
        --filter --help --history-max --include-crds --install --is-upgrade --keep-history --kube-context --kube-version --max
        --namespace --no-hooks --output --quiet --reset-values --reuse-values --revision --set --set-string --short --show-only
        --skip-crds --skip-tests --strict --timeout --values --version --wait --with-subcharts [aAf:ghin:o:q]`,
      pairs: /^plugin (?!list|ls)/,
    },
  ],
  [
    'terraform tofu',
    {
      only: `-auto-approve -backend -check -compact-warnings -concise -destroy -detailed-exitcode -diff -filter -get -help -input
        -json -list -lock -lock-timeout -lockfile -no-color -parallelism -raw -recursive -reconfigure -refresh -refresh-only
        -replace -target -upgrade -var -var-file -verbose -version -write --help --json --version -h -v`,
      // It shows any file.
      words: /^console$/,
      takesFiles: true,
    },
  ],
  [
    'docker podman',
    {
      words: named(
        'o|output|cache-to|export-cache|iidfile|metadata-file|cidfile|config|build-context|secret|ssh|H|host|tlscert|tlskey|credential-helper',
      ),
      short: 'o',
      valued: 'tfvpewumlcahHn',
      takesFiles: true,
    },
  ],
  [
    'mysqldump mariadb-dump',
    {
      only: `--add-drop-table --all-databases --compact --complete-insert --databases --events --extended-insert --help --host
        --ignore-table --lock-tables --no-create-info --no-data --no-tablespaces --order-by-primary --password --port --quick
        --routines --single-transaction --skip-* --triggers --user --verbose --version --where [ABcCdeh:np:P:qQRu:vVw:]`,
    },
  ],
  [
    'pg_dump pg_dumpall',
    {
      only: `--clean --column-inserts --create --data-only --dbname --encoding --exclude-schema --exclude-table* --format --help
        --host --if-exists --inserts --no-acl --no-comments --no-owner --no-password --no-privileges --no-tablespaces --port
        --quote-all-identifiers --roles-only --globals-only --schema --schema-only --section --serializable-deferrable --strict-names
        --table --username --verbose --version [aAbBcCd:E:F:gh:n:N:Op:rst:T:U:vVwxZ:]`,
    },
  ],
  [
    'redis-cli',
    {
      only: `--bigkeys --count --csv --help --hotkeys --json --latency --memkeys --no-auth-warning --no-raw --pattern --raw --scan
        --stat --tls --user --version -a -h -i -n -p -r -u -v`,
    },
  ],
  ['tcpdump', { only: '[AB:c:Defhi:KlLnNOpqr:s:StuUvxXy:T:]' }],
  [
    'openssl',
    {
      words: /^org\.openssl/,
      first:
        /^(?:asn1parse|base64|ciphers|crl|dgst|ec|enc|errstr|list|md5|nseq|passwd|pkcs12|pkcs7|pkey|prime|rand|rsa|sha\d+|verify|version|x509)$/,
      only: `-1 -5 -6 -a -A -aes* -alias -apr1 -base64 -binary -c -CAfile -CApath -certopt -check -checkend -checkhost -checkip
        -d -dates -digest-commands -cipher-commands -e -email -enddate -ext -fingerprint -hash -help -hex -hmac -in -inform
        -issuer -issuer_hash -iter -k -K -iv -md5 -modulus -nameopt -noout -nopad -nosalt -nokeys -nocerts -num -pass -passin
        -pbkdf2 -print -print_certs -prime -pubin -pubkey -purpose -r -salt -serial -sha1 -sha224 -sha256 -sha384 -sha512
        -show_chain -signature -startdate -stdin -strparse -subject -subject_hash -text -trusted -untrusted -v -V -verbose
        -verify -md -outform`,
    },
  ],
  [
    'gpg gpg2',
    {
      only: `--armor --batch --check-sigs --clear-sign --clearsign --dearmor --decrypt --detach-sign --detach-sig --encrypt
        --enarmor --export --fingerprint --help --import --keyid-format --list-keys --list-packets --list-public-keys
        --list-secret-keys --list-sigs --local-user --no-auto-key-locate --no-tty --print-md --quiet --recipient --show-keys
        --sign --status-fd --trust-model --verbose --verify --version --with-colons --with-fingerprint --with-subkey-fingerprint --yes
        [abdehkKqr:su:v]`,
    },
  ],
  [
    'sqlite3',
    {
      only: `--ascii --bail --batch --box --column --csv --echo --header --help --html --json --line --list --markdown --noheader
        --quote --readonly --safe --stats --table --tabs --version`,
      anyDashes: true,
      words:
        /^\s*\.(?!(?:tables|schema|indexes|databases)(?:\s+\w+)?\s*$)|[\n;]\s*\.|(?:write|read)file|\bedit\b|load_extension|attach|vacuum|fsdir|zipfile|sqlar|lsdir|writable_schema|sqlite_dbpage|^file:|trusted_schema|(?:update|insert|delete|replace)[\s\S]*sqlite_\w*(?:master|schema)/i,
      leastOperands: 2,
    },
  ],
  [
    'rsync',
    {
      only: `--archive --bwlimit --checksum --chmod --chown --compress --copy-links --cvs-exclude --delete --delete-* --dry-run
        --exclude --executability --existing --force --group --hard-links --help --human-readable --ignore-* --include --inplace
        --itemize-changes --links --max-delete --max-size --min-size --mkpath --modify-window --no-* --numeric-ids --omit-dir-times
        --one-file-system --out-format --owner --partial --perms --progress --prune-empty-dirs --quiet --recursive --relative
        --remove-source-files --safe-links --size-only --sparse --specials --stats --times --timeout --update --verbose
        --version --whole-file [8aACcDEgGhHiIklLnNoOpPqrRStuvVWxXyz]`,
      words: /:/,
    },
  ],
  ['scp', { only: '[346BCl:pP:qri:v]' }],
  ['unzip zipinfo', { only: '[aCcd:fhjlLmnopqstTuvzZ12] -x', words: /^-.*-/s }],
  [
    'zip',
    {
      only: `--delete --exclude --freshen --include --junk-paths --quiet --recurse-paths --symlinks --update --verbose
        [0123456789dDfhjoqruvXy] -i -x`,
    },
  ],
  [
    'gzip gunzip bzip2 bunzip2 compress uncompress xz unxz lzma unlzma xzcat lzcat lz4 zstd unzstd zstdcat zstdmt pzstd',
    {
      only: `--adapt --best --check --compress --decompress --exclude-compressed --extreme --fast --force --format --help
        --keep --list --long --no-* --progress --quiet --recursive --rm --robot --rsyncable --small --sparse --stdout --test
        --threads --to-stdout --ultra --uncompress --verbose --version [0123456789cdefhklnqrstT:vVz]`,
    },
  ],
]
