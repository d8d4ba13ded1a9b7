import { recordFaults } from './recordFaults.ts'
import { testRows } from './testRows.ts'

testRows(recordFaults)
