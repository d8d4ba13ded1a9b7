import { processFaults } from './rows/processFaults.ts'
import { testRows } from './testRows.ts'

testRows(processFaults)
