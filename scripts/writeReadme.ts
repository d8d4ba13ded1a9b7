import { readFileSync, writeFileSync } from 'node:fs'
import { withTables } from './readmeTables.ts'

/** Makes the tables of the documents anew. `test/docs.test.ts` fails where they are out of date. */
for (const name of ['README.md', 'docs/action.md']) {
  const file = new URL(`../${name}`, import.meta.url)
  writeFileSync(file, await withTables(readFileSync(file, 'utf8')))
}
