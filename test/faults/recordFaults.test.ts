import { recordFaults } from './rows/recordFaults.ts'
import { testRows } from './testRows.ts'

testRows(recordFaults)
