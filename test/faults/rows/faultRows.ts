import { apiFaults } from './apiFaults.ts'
import type { FaultRow } from './FaultRow.ts'
import { fileFaults } from './fileFaults.ts'
import { githubFaults } from './githubFaults.ts'
import { hookFaults } from './hookFaults.ts'
import { loadFaults } from './loadFaults.ts'
import { mcpFaults } from './mcpFaults.ts'
import { networkFaults } from './networkFaults.ts'
import { processFaults } from './processFaults.ts'
import { recordFaults } from './recordFaults.ts'
import { turnFaults } from './turnFaults.ts'

/** All rows, in the order of the matrix. */
export const faultRows: readonly FaultRow[] = [
  ...apiFaults,
  ...turnFaults,
  ...processFaults,
  ...fileFaults,
  ...recordFaults,
  ...mcpFaults,
  ...hookFaults,
  ...networkFaults,
  ...githubFaults,
  ...loadFaults,
]
