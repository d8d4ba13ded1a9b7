import { readMatrix } from '../readMatrix.ts'
import { apiFaults } from './apiFaults.ts'
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
export const faultRows = readMatrix({
  ...{ A: apiFaults, B: turnFaults, C: processFaults, D: fileFaults, E: recordFaults },
  ...{ F: mcpFaults, G: hookFaults, H: networkFaults, I: githubFaults, K: loadFaults },
})
