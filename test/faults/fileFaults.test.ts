import { fileFaults } from './rows/fileFaults.ts'
import { testRows } from './testRows.ts'

testRows(fileFaults)
