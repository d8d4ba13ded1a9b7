import { expect, test } from 'vitest'
import { serverEnvironment } from '../../../src/mcp/transport/createTransport.ts'

test('only the listed variables, and those that the entry declares', () => {
  const env = { PATH: '/bin', HOME: '/h', USER: undefined, GITHUB_TOKEN: 't', LD_PRELOAD: 'x', TMPDIR: '/tmp' }
  expect(serverEnvironment(env, { KODE_RUN_ID: 'r' }, { KEY: 'k', PATH: '/opt/bin' })).toEqual({
    PATH: '/opt/bin',
    HOME: '/h',
    TMPDIR: '/tmp',
    KODE_RUN_ID: 'r',
    KEY: 'k',
  })
})

test('an exported shell function is left out', () => {
  expect(serverEnvironment({ TERM: '() { :; }; id' }, {}, {})).toEqual({})
})
