import { testRows } from './testRows.ts'

testRows('K')
