import { expect, it } from 'vitest'
import { withTables } from '../scripts/docTables.ts'
import { documents } from '../scripts/documents.ts'

it.each(documents())('$path has the tables that the source generates (npm run docs updates them)', async ({ text }) => {
  expect(await withTables(text)).toBe(text)
})
