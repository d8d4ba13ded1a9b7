import { apiFaults } from './rows/apiFaults.ts'
import { testRows } from './testRows.ts'

testRows(apiFaults, '1')
