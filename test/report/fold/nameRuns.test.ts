import { expect, test } from 'vitest'
import { nameRuns } from '../../../src/report/fold/nameRuns.ts'
import { listOf, table } from '../../helpers/table.ts'

test.each([
  ...table`
    runs/a.jsonl | a
    transcript.jsonl | transcript
    runs/a.jsonl, ./b.jsonl | a, b
    fleet/app/transcript.jsonl, fleet/lib/transcript.jsonl | app, lib
    one/app/t.jsonl, two/app/t.jsonl, two/lib/t.jsonl | one/app, two/app, lib
    app/t.jsonl, lib/t.jsonl, x.jsonl | app/t, lib/t, x
    t.jsonl, t.jsonl | t, t
  `,
  ['', ''],
])('%j are %j', (paths = '', names = '') => {
  expect(nameRuns(listOf(paths))).toEqual(listOf(names))
})
