import { testRows } from './testRows.ts'

testRows('A', '1')
