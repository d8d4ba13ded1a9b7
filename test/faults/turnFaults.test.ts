import { testRows } from './testRows.ts'
import { turnFaults } from './turnFaults.ts'

testRows(turnFaults)
