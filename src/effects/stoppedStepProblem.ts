/** What a stopped rebase, cherry-pick or `git am` may hold: messages, names of commits, patches, and what is left to do. */
const PLAIN =
  /^(?:(?:git-rebase-todo|todo)(?:\.backup|\.orig)?|done|end|author-script|head-name|head|interactive|message(?:-squash|-fixup|id)?|msgnum|no-reschedule-failed-exec|onto|orig-head|patch|stopped-sha|(?:drop_redundant|keep_redundant|squash)_?(?:commits)?|rewritten(?:-list|-pending)?|amend|squash-onto|autostash|quiet|verbose|signoff|update-refs|refs-to-delete|fixup-commits|next|last|\d+|sign|utf8|keep|keepcr|scissors|quoted?-?cr|threeway|applying|rebasing|abort-safety|current-fixups|final-commit|info|original-commit|patch-merge-index|dirtyindex|msg|msg-clean|no-commit-id|ignore_whitespace|cdate_is_adate)$/
/** Ways to merge that are git's own; another name would be that of a program. */
const STRATEGIES = /^\s*(?:ort|recursive|resolve|octopus|ours|subtree)\s*$/
/** `exec` and `x` run what stands behind them. */
const RUNS = /^[ \t]*(?:exec|x)(?:[ \t\r]|$)/m

/**
 * Why a file of a stopped step must not be kept; undefined where git would run nothing for it when it goes on. `name` is
 * relative to the git directory.
 */
export function stoppedStepProblem(name: string, text: string): string | undefined {
  const file = name.replace(/^.*\//, '')
  if (file === 'strategy') return STRATEGIES.test(text) ? undefined : 'it names a program that git would run'
  if (file === 'apply-opt' || file === 'strategy_opts') return text.trim() === '' ? undefined : NOT_KNOWN
  if (!PLAIN.test(file)) return NOT_KNOWN
  return /todo/.test(file) && RUNS.test(text) ? 'it has git run a command when it goes on' : undefined
}

const NOT_KNOWN = 'it steers what git does next'
