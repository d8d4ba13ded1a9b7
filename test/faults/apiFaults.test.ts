import { apiFaults } from './apiFaults.ts'
import { testRows } from './testRows.ts'

testRows(apiFaults)
