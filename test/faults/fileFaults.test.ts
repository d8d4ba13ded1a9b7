import { fileFaults } from './fileFaults.ts'
import { testRows } from './testRows.ts'

testRows(fileFaults)
