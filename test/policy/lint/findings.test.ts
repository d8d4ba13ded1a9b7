import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { commandLine } from '../../helpers/commandLine.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

/** `=== name` starts a policy, `>>> file` another file of its project. The first file is checked. */
const policies = readFileSync(new URL('policies.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)

const firstLine = (text: string) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)] as const

async function findingsIn(policy: string): Promise<string> {
  const [name, text] = firstLine(policy)
  const [main = '', ...others] = text.split(/^>>> /m)
  const files = [...(main === '' ? [] : [['policy.yml', main] as const]), ...others.map(firstLine)]
  const cwd = makeFolder()
  for (const folder of ['src', 'docs', 'test', 'lib']) mkdirSync(join(cwd, folder))
  for (const [path, content] of files) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), content)
  }
  const { code, out } = await commandLine(cwd, ['policy', 'check', files[0]?.[0] ?? ''])
  return `=== ${name} (${code})\n${out.replaceAll(cwd, 'PROJECT').replaceAll(dirname(cwd), 'OUTSIDE')}`
}

// Read it as the author of a policy does. `npx vitest run test/policy/lint/findings.test.ts -u` writes it.
it('says of each policy what is wrong with it, where, and what to write instead', { timeout: 60_000 }, async () => {
  const all: string[] = []
  for (const policy of policies) all.push(await findingsIn(policy))
  await expect(all.join('')).toMatchFileSnapshot('../golden/findings.txt')
})
