import { githubFaults } from './githubFaults.ts'
import { testRows } from './testRows.ts'

testRows(githubFaults)
