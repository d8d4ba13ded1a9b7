import { describe, expect, it } from 'vitest'
import { partWarning } from '../../../src/run/start/describeEnvironment.ts'

describe('a warning that commands see only a part of the repository', () => {
  it.each([
    ['names what shows the rest', ['/repo/a/b'], '--add-dir ../..'],
    ['stays if only a part more is shown', ['/repo/a/b', '/repo/c'], '--add-dir ../..'],
    ['is not given if the top is shown, as a workspace or as a readable folder', ['/repo/a/b', '/repo'], undefined],
    ['is not given if a folder around the top is shown', ['/repo/a/b', '/'], undefined],
  ])('%s', (_what, shown, said) => {
    const warning = partWarning('/repo/a/b', '/repo', shown)
    if (said === undefined) expect(warning).toBeUndefined()
    else expect(warning).toContain(said)
  })
})
