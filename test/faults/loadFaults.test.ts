import { loadFaults } from './loadFaults.ts'
import { testRows } from './testRows.ts'

testRows(loadFaults, '154')
