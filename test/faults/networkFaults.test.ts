import { networkFaults } from './networkFaults.ts'
import { testRows } from './testRows.ts'

testRows(networkFaults)
