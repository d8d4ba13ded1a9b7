import { testRows } from './testRows.ts'

testRows('B')
