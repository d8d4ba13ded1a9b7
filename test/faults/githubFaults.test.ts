import { testRows } from './testRows.ts'

testRows('I')
