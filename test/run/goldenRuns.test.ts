import { join } from 'node:path'
import { playGolden } from '../helpers/runs/playGolden.ts'
import { agents } from './rows/agents.ts'
import { budgets } from './rows/budgets.ts'
import { calls } from './rows/calls.ts'
import { endings } from './rows/endings.ts'
import { outputs } from './rows/outputs.ts'
import { resumed } from './rows/resumed.ts'
import { starts } from './rows/starts.ts'

const folder = join(import.meta.dirname, 'golden')

for (const [subject, rows] of Object.entries({ agents, budgets, calls, endings, outputs, resumed, starts })) {
  playGolden(folder, subject, rows)
}
