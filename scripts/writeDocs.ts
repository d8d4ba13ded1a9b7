import { writeFileSync } from 'node:fs'
import { withTables } from './docTables.ts'
import { documents } from './documents.ts'

/** Makes the tables of all documents anew. `test/docs.test.ts` fails where they are out of date. */
for (const { path, text } of documents()) writeFileSync(path, await withTables(text))
