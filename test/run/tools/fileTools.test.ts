import { describe, expect, it } from 'vitest'
import { findRipgrep } from '../../../src/tools/GrepTool/findRipgrep.ts'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { bash, playRun } from '../../helpers/runs/playRun.ts'

const hasRipgrep = (await findRipgrep([])) !== undefined

const POLICY = 'version: 1\npermissions: { presets: [read-only], allow: ["Edit(/**)"] }\n'

describe('tools that read', { tags: 'long' }, () => {
  it('Grep finds the same in a sandbox that was started ahead', async () => {
    const grep = { name: 'Grep', input: { pattern: 'needle', output_mode: 'content' } }
    const run = await playRun([grep, bash('true'), grep, grep], {
      policy: POLICY.replace('allow: [', 'allow: [Bash, '),
      files: { 'src/a.txt': 'a needle\n' },
    })
    expect(run.told.filter((text) => text.includes('src/a.txt:1:a needle'))).toHaveLength(3)
  })

  it.skipIf(!hasBubblewrap || !hasRipgrep)(
    'Grep uses the installed ripgrep in the sandbox, wherever it is installed (needs bubblewrap and ripgrep)',
    async () => {
      const run = await playRun([{ name: 'Grep', input: { pattern: 'n.edle' } }], {
        policy: POLICY,
        files: {
          ...{ 'src/a.ts': 'needle\n', 'src/b.ts': 'hay\n' },
          ...{ 'build/a.ts': 'needle\n', '.env': 'needle\n', '.gitignore': 'build\n' },
        },
      })
      expect(run.told).toEqual(['Found 1 file\nsrc/a.ts'])
    },
  )
})
