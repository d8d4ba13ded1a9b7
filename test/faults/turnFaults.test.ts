import { turnFaults } from './rows/turnFaults.ts'
import { testRows } from './testRows.ts'

testRows(turnFaults)
