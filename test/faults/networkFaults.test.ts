import { networkFaults } from './rows/networkFaults.ts'
import { testRows } from './testRows.ts'

testRows(networkFaults)
