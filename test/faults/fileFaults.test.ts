import { testRows } from './testRows.ts'

testRows('D')
