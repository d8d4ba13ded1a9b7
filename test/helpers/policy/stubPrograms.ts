import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../makeFolder.ts'

const CLI = join(import.meta.dirname, '../../../dist/cli.js')

/**
 * A folder for the front of PATH: `npx … kode-run` and `kode-run` are the built command line, which replays `replay` in a
 * run; programs that would change the machine, and those of a CI system, do nothing but log their words in `calls`.
 */
export function stubPrograms(replay: string): { readonly path: string; readonly calls: string } {
  const path = makeFolder()
  const calls = join(path, 'calls.log')
  const script = (name: string, text: string) => {
    writeFileSync(join(path, name), `#!/usr/bin/env bash\n${text}\n`)
    chmodSync(join(path, name), 0o755)
  }
  const run = `case "$1" in apply|report|policy|init|tools) exec '${process.execPath}' '${CLI}' "$@" ;; esac
exec '${process.execPath}' '${CLI}' --replay '${replay}' "$@"`
  script('kode-run', run)
  script('npx', `while [ $# -gt 0 ]; do case "$1" in kode-run@*) shift; break ;; esac; shift; done\n${run}`)
  for (const name of ['sudo', 'npm', 'apt-get', 'buildkite-agent']) {
    script(name, `echo "${name} $*" >> '${calls}'${name === 'buildkite-agent' ? '; cat > /dev/null' : ''}`)
  }
  return { path, calls }
}
