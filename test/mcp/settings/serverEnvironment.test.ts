import { expect, test } from 'vitest'
import { serverEnvironment } from '../../../src/mcp/settings/serverEnvironment.ts'

test('nothing of the operator but what is named, and what the entry declares', () => {
  const env = { PATH: '/bin', HOME: '/h', USER: undefined, GITHUB_TOKEN: 't', LD_PRELOAD: 'x', TMPDIR: '/tmp' }
  expect(serverEnvironment(env, { KODE_RUN_ID: 'r' }, { KEY: 'k', PATH: '/opt/bin' })).toEqual({
    PATH: '/opt/bin',
    HOME: '/h',
    TMPDIR: '/tmp',
    KODE_RUN_ID: 'r',
    KEY: 'k',
  })
})

test('a function in a variable stays outside', () => {
  expect(serverEnvironment({ TERM: '() { :; }; id' }, {}, {})).toEqual({})
})
