import { expect, it } from 'vitest'
import { restrictServers } from '../../../src/run/start/openServers.ts'

const NOT_STARTED = 'own was not started: the event is not trusted, and there is no sandbox to start it in'
const BEHIND =
  'own has sandbox: true and runs behind Landlock, which hides no secret of the project: see docs/sandbox.md'

/** Where `own` of the policy, `theirs` of the checkout and the address `far` run; `-` if not at all. */
it.each([
  ['trusted', 'nothing', false, 'free free far', []],
  ['trusted', 'nothing', true, 'asks free far', []],
  ['trusted', 'Landlock', true, 'asks walled far', [BEHIND]],
  ['trusted', 'Landlock', false, 'free walled far', []],
  ['trusted', 'a sandbox', true, 'asks walled far', []],
  ['untrusted', 'nothing', false, '- - far', [NOT_STARTED, NOT_STARTED.replace('own', 'theirs')]],
  ['untrusted', 'Landlock', false, '- - far', [NOT_STARTED, NOT_STARTED.replace('own', 'theirs')]],
  ['untrusted', 'a sandbox', false, 'walled walled far', []],
] as const)('servers of a %s run behind %s, where one asks for a sandbox: %s', (trust, wall, asks, where, warnings) => {
  const own = { command: 'own', ...(asks && { sandbox: true }) }
  const servers = { own, theirs: { command: 'theirs' }, far: { url: 'https://far' } }
  const warned: string[] = []
  const started = restrictServers({ servers, fromProject: new Set(['theirs', 'far']) } as never, trust, {
    ...{ isEnforced: wall === 'a sandbox', isWalled: wall !== 'nothing', warn: (message) => warned.push(message) },
  })
  const shown = Object.entries(servers).map(([name, given]) => {
    const server = started[name]
    if (server?.command === undefined) return server === undefined ? '-' : name
    return server.sandbox === true ? (server === given ? 'asks' : 'walled') : 'free'
  })
  expect([shown.join(' '), warned]).toEqual([where, warnings])
})
