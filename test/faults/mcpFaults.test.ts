import { testRows } from './testRows.ts'

testRows('F')
