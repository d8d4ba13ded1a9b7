import { hookFaults } from './rows/hookFaults.ts'
import { testRows } from './testRows.ts'

testRows(hookFaults)
