import { mcpFaults } from './rows/mcpFaults.ts'
import { testRows } from './testRows.ts'

testRows(mcpFaults)
