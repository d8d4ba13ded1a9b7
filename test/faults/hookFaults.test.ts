import { hookFaults } from './hookFaults.ts'
import { testRows } from './testRows.ts'

testRows(hookFaults, '102')
