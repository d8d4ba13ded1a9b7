import { processFaults } from './processFaults.ts'
import { testRows } from './testRows.ts'

testRows(processFaults, '49')
