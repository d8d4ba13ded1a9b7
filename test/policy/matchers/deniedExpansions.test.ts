import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDecider } from '../../../src/commands/policy/createDecider.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'
import { times } from '../../helpers/sampled.ts'

const DENY = ['Bash(git push *)', 'Bash(rm -rf *)', 'Bash(npm run deploy *)', 'Bash(cp --target-directory *)']
/** What bash makes of the words below; the judge does not know it. */
const VALUES = `X=push; Y='-C s1'; A=(push origin); F=f; E=; R=-rf; D=deploy; P=ploy; T=--target-directory; B=(a --target-directory=s1)`
const FILES = ['-C', 'push', '--force', '-rf', 'sx', 'deploy', '--target-directory=s1']
const WORDS = {
  git: `-C -c a=b s1 s? s* "$X" $Y "\${A[@]}" s"\${A[@]}" push pull origin --force {-C,s1} -* [-]C pu{sh,ll} p* ?ush * --fo* -"$F" -f
    --no-pager --git-dir=s* "$E"push $E {push,origin} $'push' ~ pus"h" +main -C s{1,2} ./s*`,
  rm: `-rf -r -f "$R" -"$F" $E s* -* [-]rf * x --recursive --force --forc* -{r,f} -r"$F" "\${A[@]}" -v -- "$E"-rf`,
  cp: `a s1 -v --target-directory=s1 --target-directory="$X" --target-directory=s* "$T"=s1 --targ*=s1 "$T" "\${B[@]}" --targ="$E"
    s"\${B[@]}" -n "$E"--t{arget-directory,x}=s1 *=s1 $E --no-clobber --suffix="$X" "$X"=b x/"$T" s*`,
  npm: `run deploy "$D" --prefix s* -w $Y dep* "\${A[@]}" --silent ru{n,x} $E -"$F" --prefix=s* de"$P" * d?ploy`,
}

/** Whether the program itself takes these words as what the rules deny. */
const MEANS: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  git(words) {
    let at = 0
    while (words[at]?.startsWith('-') === true) at += /^(?:-[Cc]|--git-dir)$/.test(words[at] ?? '') ? 2 : 1
    return words[at] === 'push'
  },
  rm(words) {
    const end = words.indexOf('--')
    const options = (end < 0 ? words : words.slice(0, end)).filter((word) => /^-./.test(word))
    const letters = options.filter((word) => !word.startsWith('--')).join('')
    const isLong = (name: string) => options.some((word) => word.length > 3 && name.startsWith(word))
    return (/r/i.test(letters) || isLong('--recursive')) && (/f/.test(letters) || isLong('--force'))
  },
  cp: (words) =>
    words.some((word) => word.startsWith('--t') && '--target-directory'.startsWith(word.split('=')[0] ?? '')),
  npm(words) {
    const names = words.filter((word, at) => !word.startsWith('-') && !/^(?:--prefix|-w)$/.test(words[at - 1] ?? ''))
    return names[0] === 'run' && names[1] === 'deploy'
  },
}

/** Random lines of these words, the same ones each time. */
function* linesOf(count: number): Generator<string> {
  let state = 7
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state >>> 8) % limit
  }
  const lists = Object.entries(WORDS).map(([name, words]) => [name, words.split(/(?<!\\)\s+/)] as const)
  for (let index = 0; index < count; index++) {
    const [name, words] = lists[below(lists.length)] ?? ['', []]
    const line = [name, ...Array.from({ length: 1 + below(5) }, () => words[below(words.length)])].join(' ')
    yield GLUED[below(GLUED.length * 3)]?.(line) ?? line
  }
}

/** What bash or env takes apart although it is one word here. */
const GLUED: readonly ((line: string) => string)[] = [
  (line) => `2>&-${line}`,
  (line) => `2<&-${line}`,
  (line) => `2>&- ${line}`,
  (line) => `env '-S${line.replaceAll("'", '')}'`,
  (line) => `env -i A=b PATH=bin:/usr/bin -vS'${line.replaceAll("'", '').replaceAll(' ', '\\_')}'`,
  (line) => `env -S"${line.replaceAll(/["$]/g, '')}"`,
]

it('no line that bare Bash starts becomes what a rule denies, whatever bash makes of its words', async () => {
  const cwd = makeFolder()
  mkdirSync(join(cwd, 's1'))
  for (const name of FILES) writeFileSync(join(cwd, name), '')
  const decide = createDecider(await policyOf({ allow: ['Bash'], deny: DENY }, { cwd }), 'default')
  const started: { readonly line: string; readonly runs: string }[] = []
  const lines = [...new Set(linesOf(times(4_000, 400)))]
  for (const line of lines) {
    const { decision, canonical = line } = await decide({ tool: 'Bash', input: { command: line } })
    if (decision === 'allow') started.push({ line, runs: canonical })
  }
  mkdirSync(join(cwd, 'bin'))
  for (const name of Object.keys(WORDS))
    writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\nprintf '%s\\0' ${name} "$@"\n`, { mode: 0o755 })
  const script = [VALUES, ...started.map(({ runs }) => `${runs}\nprintf '\\1\\0'`)].join('\n')
  const shown = execFileSync('bash', ['--noprofile', '--norc', '-c', script], {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    env: { PATH: `${join(cwd, 'bin')}:/usr/bin:/bin` },
  })
  const seen = shown.split('\u0001\0').slice(0, -1)
  expect(seen).toHaveLength(started.length)
  const escaped = seen.flatMap((text, at) => {
    const [name = '', ...words] = text.split('\0').slice(0, -1)
    return MEANS[name]?.(words) === true ? [`${started[at]?.line} => ${words.join(' ')}`] : []
  })
  expect(escaped).toEqual([])
  // Some were started, and some refused.
  expect(started.length).toBeGreaterThan(lines.length / 10)
  expect(started.length).toBeLessThan(lines.length * 0.9)
})
