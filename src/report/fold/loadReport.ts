import type { TranscriptRecord } from '../../contracts/events.ts'
import { type Damage, readTranscript } from '../transcript/readTranscript.ts'
import { createReportFold } from './foldReport.ts'

const MAX_DAMAGES = 100

/**
 * The report on a transcript, and the places where the file is not valid. Records of unknown types are skipped. A
 * record that no run writes counts as damage, so no reader meets a missing field. Throws `bad_input` without a file.
 */
export async function loadReport(path: string) {
  const { eventSchema } = await import('../../contracts/events/eventSchema.ts')
  const { systemEventSchemas } = await import('../../contracts/events/systemEventSchemas.ts')
  const subtypes = new Set<string>(systemEventSchemas.map(({ shape }) => shape.subtype.value))
  const isKnown = (record: TranscriptRecord): boolean =>
    record.type === 'system' ? subtypes.has(record.subtype) : ['assistant', 'user', 'result'].includes(record.type)
  const fold = createReportFold()
  const damages: Damage[] = []
  const add = (damage: Damage): void => {
    if (damages.length < MAX_DAMAGES) damages.push(damage)
  }
  for await (const item of readTranscript(path)) {
    if (item.kind === 'damage') {
      if (item.severity !== 'harmless') add(item)
    } else if (eventSchema.safeParse(item.record).success) fold.add(item.record)
    else if (isKnown(item.record)) {
      const { line, offset } = item
      add({ kind: 'damage', severity: 'middle', line, offset, reason: 'a record that does not fit the schema' })
    }
  }
  return { report: fold.report(), damages }
}
