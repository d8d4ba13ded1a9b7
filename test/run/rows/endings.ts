import { call } from '../../helpers/model/serveTurns.ts'
import { type GoldenRun, PLAIN } from '../../helpers/runs/goldenRun.ts'

const bash = (command: string) => call('Bash', { command })
const WRITES = { permissions: { allow: ['Read', 'Bash', 'Edit(b)'] } }

/** How runs end. */
export const endings: Readonly<Record<string, GoldenRun>> = {
  'a task that is done': PLAIN,
  'a plain answer': { policy: WRITES, answers: [{ say: 'It is done.' }] },
}
