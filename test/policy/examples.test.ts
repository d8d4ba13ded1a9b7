import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lintPolicy } from '../../src/policy/lint/lintPolicy.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { HOME } from '../helpers/policy/policyCalls.ts'

const folder = fileURLToPath(new URL('../../examples/policies', import.meta.url))

describe('examples/policies', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yml')))(
    '%s loads, and lint has nothing to say',
    async (name) => {
      const policy = await loadPolicy({ file: path.join(folder, name), cwd: folder, home: HOME })
      expect(lintPolicy(policy)).toEqual([])
      expect(policy.rules.length).toBeGreaterThan(0)
      expect(policy.settings.tests.length).toBeGreaterThan(0)
    },
  )
})
