import { testRows } from './testRows.ts'

testRows('E')
