import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { policyCheck } from '../../../src/commands/policy/policyCheck.ts'
import type { ProcessIo } from '../../../src/contracts/processIo.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sectionsOf, writeFiles } from '../../helpers/policy/sections.ts'

// Read it as the author of a policy does. `npx vitest run test/policy/lint/findings.test.ts -u` writes it.
it('says of each policy what is wrong with it, where, and what to write instead', { timeout: 60_000 }, async () => {
  let all = ''
  for (const { name, text, files } of sectionsOf(new URL('policies.txt', import.meta.url))) {
    const cwd = makeFolder()
    for (const folder of ['src', 'docs', 'test', 'lib']) mkdirSync(join(cwd, folder))
    const given = text === '' ? files : [['policy.yml', text] as const, ...files]
    writeFiles(cwd, given)
    let out = ''
    const print = (words: string) => {
      out += words
    }
    const io = { cwd, print, home: '/home/nobody', environment: {} } as unknown as ProcessIo
    const line = { command: 'policy check', positionals: [given[0]?.[0] ?? ''], flags: {} } as const
    const code = await policyCheck(io, line)
    all += `=== ${name} (${code})\n${out.replaceAll(cwd, 'PROJECT').replaceAll(dirname(cwd), 'OUTSIDE')}`
  }
  await expect(all).toMatchFileSnapshot('../golden/findings.txt')
})
