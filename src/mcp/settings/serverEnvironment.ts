type Environment = Readonly<Record<string, string | undefined>>

/** What a stdio server gets from the operator's environment; its entry must declare anything else under `env`. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR', 'RUNNER_TRACKING_ID'] as const

/**
 * The whole environment of a stdio server: a few harmless variables, the run's own markers, and what the entry
 * declares.
 */
export function serverEnvironment(
  env: Environment,
  marks: Environment,
  declared: Environment,
): Readonly<Record<string, string>> {
  const inherited = INHERITED.map((name) => [name, env[name]] as const)
  const entries = [...inherited, ...Object.entries(marks), ...Object.entries(declared)]
  // A value that starts with `()` is a function that old shells would run: bash, CVE-2014-6271.
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined || value.startsWith('()') ? [] : [[name, value]])),
  )
}
