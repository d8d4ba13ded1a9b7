import { mcpFaults } from './mcpFaults.ts'
import { testRows } from './testRows.ts'

testRows(mcpFaults)
