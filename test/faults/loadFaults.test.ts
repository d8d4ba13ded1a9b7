import { loadFaults } from './rows/loadFaults.ts'
import { testRows } from './testRows.ts'

testRows(loadFaults)
