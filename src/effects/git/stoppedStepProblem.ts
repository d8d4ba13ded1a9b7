/** Of a stopped rebase, cherry-pick or `git am`: messages, commit names, patches, and the remaining steps. */
const PLAIN =
  /^(?:(?:git-rebase-todo|todo)(?:\.backup|\.orig)?|done|end|author-script|head-name|head|interactive|message(?:-squash|-fixup|id)?|msgnum|no-reschedule-failed-exec|onto|orig-head|patch|stopped-sha|(?:drop_redundant|keep_redundant|squash)_?(?:commits)?|rewritten(?:-list|-pending)?|amend|squash-onto|autostash|quiet|verbose|signoff|update-refs|refs-to-delete|fixup-commits|next|last|\d+|sign|utf8|keep|keepcr|scissors|quoted?-?cr|threeway|applying|rebasing|abort-safety|current-fixups|final-commit|info|original-commit|patch-merge-index|dirtyindex|msg|msg-clean|no-commit-id|ignore_whitespace|cdate_is_adate)$/
/** Git's own merge strategies; any other name would be a program. */
const STRATEGIES = /^\s*(?:ort|recursive|resolve|octopus|ours|subtree)\s*$/
/** `exec` and `x` run the rest of the line. */
const RUNS = /^[ \t]*(?:exec|x)(?:[ \t\r]|$)/m

/** Why a file of a stopped operation must not be kept: git would run something. `name` is in the git directory. */
export function stoppedStepProblem(name: string, text: string): string | undefined {
  const file = name.replace(/^.*\//, '')
  if (file === 'strategy') return STRATEGIES.test(text) ? undefined : 'it names a program that git would run'
  if (file === 'apply-opt' || file === 'strategy_opts') return text.trim() === '' ? undefined : NOT_KNOWN
  if (!PLAIN.test(file)) return NOT_KNOWN
  return /todo/.test(file) && RUNS.test(text) ? 'it makes git run a command when git continues' : undefined
}

const NOT_KNOWN = 'it controls what git does next'
