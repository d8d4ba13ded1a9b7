/** Long options by which no subcommand of git runs a program, or writes or takes in a file, of the words' choice. */
const NAMES = `
  --abbrev --abbrev-commit --abbrev-ref --abort --after --after-context --aggressive --ahead-behind --all --all-match --allow-empty
  --allow-empty-message --allow-unrelated-histories --also-filter-submodules --always --amend --ancestry-path --anchored --and
  --annotate --annotate-stdin --anonymize --append --apply --assume-unchanged --atomic --attach --author --author-date-order
  --auto --autosquash --bare --base --basic-regexp --batch --batch-all-objects --batch-check --batch-command --batch-size
  --before --before-context --binary --bisect --bool --boundary --branch --branches --break-rewrites --broken --buffer --cache
  --cached --candidates --cc --changed-paths --check --cherry --cherry-mark --cherry-pick --children --chmod --cleanup
  --clear-decorations --color --color-moved --color-moved-ws --color-words --column --combined --combined-all-paths --comment-lines
  --commit --committer --committer-date-is-author-date --compact-summary --cone --conflict --connectivity-only --contains
  --contents --context --continue --copy --count --cover-from-description --cover-letter --create --create-reflog
  --creation-factor --cruft --cruft-expiration --cumulative --current --dangling --date --date-order --decorate --decorate-refs
  --decorate-refs-exclude --deduplicate --deepen --default --delete --deleted --dense --depth --dereference --detach
  --diff-algorithm --diff-filter --diff-merges --directory --dirstat --dirstat-by-file --dirty --discard-changes --disk-usage
  --dissociate --divider --do-walk --dry-run --dst-prefix --dual-color --edit --edit-todo --email --encode-email-headers
  --encoding --empty --empty-directory --end-of-options --eol --error-unmatch --exact-match --exclude --exclude-existing
  --exclude-first-parent-only --exclude-from --exclude-hidden --exclude-per-directory --exclude-promisor-objects
  --exclude-standard --exit-code --expand-tabs --expire --expire-unreachable --extended-regexp --ff --ff-only --file
  --files-with-matches --files-without-match --filter --filters --find-copies --find-copies-harder --find-object
  --find-renames --first-parent --fixed-strings --fixed-value --fixup --follow --follow-symlinks --follow-tags --force
  --force-create --force-if-includes --force-rebase --force-with-lease --fork-point --format --from --full --full-diff
  --full-history --full-index --full-name --full-tree --function-context --get --get-all --get-regexp --get-url --get-urlmatch
  --global --gpg-sign --graph --grep --grep-reflog --group --guess --guess-remote --hard --hash --head --header --heading
  --heads --help --histogram --human-readable --if-exists --if-missing --ignore-all-space --ignore-blank-lines --ignore-case
  --ignore-cr-at-eol --ignore-date --ignore-errors --ignore-if-in-upstream --ignore-matching-lines --ignore-missing
  --ignore-other-worktrees --ignore-removal --ignore-rev --ignore-revs-file --ignore-skip-worktree-bits
  --ignore-space-at-eol --ignore-space-change --ignore-submodules --ignore-unmatch --ignore-unmerged --ignore-whitespace --ignored
  --in-commit-order --in-reply-to --include --include-untracked --includes --incremental --indent --indent-heuristic
  --independent --index --index-version --indexed-objects --init --initial-branch --inline --int --intent-to-add --inter-hunk-context
  --interactive --interdiff --invert-grep --invert-match --ipv4 --ipv6 --irreversible-delete --is-ancestor --is-bare-repository
  --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --ita-invisible-in-index --ita-visible-in-index --jobs
  --keep --keep-base --keep-cr --keep-empty --keep-index --keep-largest-pack --keep-non-patch --keep-pack --keep-redundant-commits
  --keep-subject --left-only --left-right --line-number --line-porcelain --line-prefix --list --local --local-env-vars
  --local-user --lock --log --log-size --long --lost-found --mailmap --mainline --max-age --max-count --max-depth --max-parents
  --max-pack-size --merge --merge-base --merged --merges --message --message-id --min-age --min-parents --minimal --mirror
  --missing --mixed --mode --modified --name --name-only --name-status --negotiate-only --negotiation-tip --no-decorate-refs
  --no-ext-diff --no-index --no-walk --non-matching --normalize --not --notes --null --numbered --numbered-files --numstat
  --object-format --object-names --object-only --objects --objects-edge --octopus --oneline --only --only-matching
  --only-trailers --only-untracked --onto --or --origin --orphan --others --ours --output-indicator-context
  --output-indicator-new --output-indicator-old --overlay --overwrite-ignore --parents --parse --parseopt --patch --patch-format
  --patch-with-raw --patch-with-stat --path --path-format --pathspec-file-nul --pathspec-from-file --patience --perl --perl-regexp
  --pickaxe-all --pickaxe-regex --points-at --porcelain --post-rewrite --prefetch --prefix --pretty --progress --prune
  --prune-tags --push --push-option --quiet --quit --quoted-cr --range-diff --raw --reapply-cherry-picks --really-refresh
  --reason --rebase --rebase-merges --recommend-shallow --recount --recurse --recurse-submodules --recursive --reedit-message
  --ref --ref-format --reference --reference-if-able --refetch --reflog --reflogs --refmap --refresh --refs --regexp-ignore-case
  --reject --reject-shallow --relative --relative-date --remerge-diff --remote --remote-submodules --remotes --remove
  --remove-empty --rename-empty --renames --renormalize --replace --replace-all --rerere-autoupdate --reroll-count
  --reschedule-failed-exec --reset-author --reset-author-date --resolve-git-dir --resolve-undo --resolved --resolvemsg
  --reuse-message --reverse --rewrite --rfc --right-only --root --rotate-to --scissors --server-option --set-upstream
  --set-upstream-to --shallow --shallow-exclude --shallow-since --shallow-submodules --shared --shared-index-path --short
  --shortstat --show-cdup --show-current --show-current-patch --show-email --show-forced-updates --show-function
  --show-linear-break --show-name --show-notes --show-number --show-object-format --show-origin --show-original-ids
  --show-prefix --show-pulls --show-ref-format --show-scope --show-signature --show-stash --show-stats --show-superproject-working-tree --disambiguate --flags --revs-only --no-revs --no-flags
  --show-toplevel --sign --signature --signed --signoff --simplify-by-decoration --simplify-merges --since --since-as-filter
  --single-branch --single-worktree --skip --skip-to --skip-worktree --soft --sort --source --sparse --sparse-index --split-index
  --sq --sq-quote --squash --src-prefix --stable --stage --staged --stale-fix --stat --stat-count --stat-graph-width
  --stat-name-width --stat-width --status --stdin --stdout --strategy --strategy-option --strict
  --strip-comments --subject-prefix --submodule --submodules --summary --summary-limit --symbolic --symbolic-full-name
  --symref --system --tags --tcl --text --textconv --theirs --thin --threads --to --topics --topo-order --track --trailer
  --trim-empty --trivial-merge --type --unfold --unidiff-zero --unified --unmerged --unordered --unpack-unreachable --unset-upstream
  --unshallow --unstable --until --untracked --untracked-cache --untracked-files --update --update-head-ok --update-refs
  --update-shallow --use-mailmap --value --verbose --verify --verify-signatures --version --walk-reflogs --where
  --whitespace --width --word-diff --word-diff-regex --word-regexp --worktree --write-fetch-head --write-index --write-tree
  --ws-error-highlight --zero-commit --absolute-git-dir --git-common-dir --git-dir --git-path --shell --python --get-color
  --get-colorbool --show --append-trailer --no-name --no-notes --thread --build-options --expiry-date --allow-overlap
  --regexp --no-symlinks --add --alternate-refs --auto-gc --auto-maintenance --checkout --commit-header --commit-id --debug --fetch
  --geometric --glob --hardlinks --into-name --killed --max-new-filters --move --objects-edge-aggressive --term-bad --term-good
  --term-new --term-old --timestamp --unpacked --window --with-tree`

const DIFF = '[0123aB:bcC:D:G:I:l:M:mpqRrS:stuU:wWX:z]'
const LOG = `${DIFF} [EFgin:P] -L -L*`
const FETCH = '[46aj:kmno:pPqtuv]'
const MERGE = '[eF:m:nqs:S:vX:]'

/** Short options by subcommand; of those without a list none is known. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    add: '[AeinNpuv]',
    stage: '[AeinNpuv]',
    am: '[3bcC:kmp:qrsS:u]',
    annotate: '[bcC:efL:lM:npstw] -L',
    apply: '[3C:Np:qRvz]',
    archive: '[lv0123456789]',
    bisect: '[n]',
    blame: '[bcC:efL:lM:npstw] -L',
    branch: '[acCdDfilmMqrtu:v]',
    'cat-file': '[epstz]',
    'check-attr': '[az]',
    'check-ignore': '[nqvz]',
    checkout: '[23B:b:dflmpqt]',
    cherry: '[v]',
    'cherry-pick': '[em:nsS:xX:]',
    clean: '[de:finqxX]',
    clone: '[46b:j:lno:qsv]',
    commit: '[ac:C:eF:im:nopqsS:u:vz]',
    config: '[lz]',
    'count-objects': '[Hv]',
    diff: DIFF,
    'diff-files': DIFF,
    'diff-index': DIFF,
    'diff-tree': `${DIFF} [v]`,
    fetch: FETCH,
    'fmt-merge-msg': '[F:m:]',
    'for-each-ref': '[ps]',
    'format-patch': `${DIFF} [kNnv:]`,
    fsck: '[v]',
    gc: '[q]',
    grep: '[A:aB:C:cEe:FGHhIiLlm:noPpqrvWwz]',
    'hash-object': '[t:w]',
    init: '[b:q]',
    log: LOG,
    'ls-files': '[cdfikmostuvx:X:z]',
    'ls-remote': '[ho:qt]',
    'ls-tree': '[dlrtz]',
    merge: MERGE,
    'merge-base': '[a]',
    'merge-file': '[L:pq]',
    'merge-tree': '[z]',
    mv: '[fknv]',
    notes: '[c:C:fF:m:nqs:v]',
    prune: '[nv]',
    'prune-packed': '[nq]',
    pull: `${FETCH} ${MERGE} [r]`,
    push: '[46dfno:quv]',
    'range-diff': DIFF,
    rebase: '[C:fikmnqrs:S:vX:]',
    reflog: LOG,
    remote: '[dfm:npt:v]',
    repack: '[aAbCdfFg:iklmnq]',
    replace: '[l]',
    reset: '[Npq]',
    restore: '[23mpqs:SW]',
    'rev-list': '[EFgin:Prz]',
    'rev-parse': '[hq]',
    revert: '[em:nsS:X:]',
    rm: '[fnqr]',
    shortlog: '[cEeFinPsw:]',
    show: LOG,
    'show-branch': '[agr]',
    'show-ref': '[dhqs]',
    stash: '[km:pqSu]',
    status: '[bM:su:vz]',
    stripspace: '[cs]',
    submodule: '[b:Nfqj:]',
    switch: '[c:C:dfmqt]',
    'symbolic-ref': '[qd]',
    tag: '[adefF:ilm:n:su:v]',
    'update-index': '[gqvz]',
    var: '[l]',
    'verify-commit': '[v]',
    'verify-pack': '[sv]',
    'verify-tag': '[v]',
    whatchanged: LOG,
    worktree: '[b:B:dfnqvz]',
  }),
)

/** The options of a subcommand that are known to be harmless, as `isHarmlessOption` reads them. */
export function gitOptions(subcommand: string): string {
  return `${NAMES} ${LETTERS.get(subcommand) ?? ''}`
}
