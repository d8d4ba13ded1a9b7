import { describe, expect, it } from 'vitest'
import { viewGoldenRun } from '../helpers/runs/goldenRun.ts'
import { agents } from './rows/agents.ts'
import { endings } from './rows/endings.ts'
import { hooks } from './rows/hooks.ts'
import { outputs } from './rows/outputs.ts'
import { resumed } from './rows/resumed.ts'
import { servers } from './rows/servers.ts'
import { starts } from './rows/starts.ts'

const SUBJECTS = { agents, endings, hooks, outputs, resumed, servers, starts }

for (const [subject, rows] of Object.entries(SUBJECTS)) {
  describe(subject, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        const file = `golden/${subject}/${name.replaceAll(' ', '-')}.txt`
        await expect(await viewGoldenRun(row)).toMatchFileSnapshot(file)
      })
    }
  })
}
