import { testRows } from './testRows.ts'

testRows('G')
