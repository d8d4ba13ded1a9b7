import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { commandLine } from '../../helpers/commandLine.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'

// Read it as the author of a policy does. `npx vitest run test/policy/lint/findings.test.ts -u` writes it.
it('says of each policy what is wrong with it, where, and what to write instead', { timeout: 60_000 }, async () => {
  let all = ''
  for (const { name, text, files } of sectionsOf(new URL('policies.txt', import.meta.url))) {
    const given = text === '' ? files : [['policy.yml', text] as const, ...files]
    const folders = { 'src/': '', 'docs/': '', 'test/': '', 'lib/': '' }
    const cwd = makeFiles({ ...folders, ...Object.fromEntries(given) })
    const { code, out } = await commandLine(cwd, ['policy', 'check', given[0]?.[0] ?? ''])
    all += `=== ${name} (${code})\n${out.replaceAll(cwd, 'PROJECT').replaceAll(dirname(cwd), 'OUTSIDE')}`
  }
  await expect(all).toMatchFileSnapshot('../golden/findings.txt')
})
