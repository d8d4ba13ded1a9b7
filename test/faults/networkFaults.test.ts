import { testRows } from './testRows.ts'

testRows('H')
