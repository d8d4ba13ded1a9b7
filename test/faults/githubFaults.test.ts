import { githubFaults } from './rows/githubFaults.ts'
import { testRows } from './testRows.ts'

testRows(githubFaults)
