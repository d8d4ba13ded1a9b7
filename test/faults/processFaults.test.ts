import { testRows } from './testRows.ts'

testRows('C')
