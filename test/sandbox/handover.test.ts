import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import { HANDOVER_VARIABLE, readHandover, withoutSecrets, writeHandover } from '../../src/sandbox/handover.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const KEY = 'sk-ant-api03-CANARY-0123456789abcdef'

const environment = {
  ANTHROPIC_API_KEY: KEY,
  COPY: `Bearer ${KEY}`,
  ...{ DATABASE_URL: 'postgres://user:CANARY-pass@db/x', INPUT_PROMPT: 'any input of a step' },
  ...{ ACTIONS_RUNTIME_URL: 'https://runner.example', PATH: '/bin', NONE: undefined },
}

it('leaves the environment in a file of this user, and shows none of its secrets', () => {
  const left = writeHandover(environment)
  const file = left[HANDOVER_VARIABLE] ?? ''
  expect(left).toEqual({ PATH: '/bin', [HANDOVER_VARIABLE]: file })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
  expect(readFileSync(file, 'utf8')).toContain(KEY)
  expect(readHandover(file)).toEqual(JSON.parse(JSON.stringify(environment)))
  expect(existsSync(dirname(file))).toBe(false)
})

it('accepts only files that it wrote', () => {
  const file = join(makeFiles({ environment: '{}' }), 'environment')
  expect(() => readHandover(file)).toThrow('no handover of ours')
  expect(existsSync(file)).toBe(true)
})

it('accepts no other name in a folder of its own, and says so as an error of ours', () => {
  const file = writeHandover({})[HANDOVER_VARIABLE] ?? ''
  onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }))
  for (const name of [`${file}2`, `${file}/x`, dirname(file)])
    expect(() => readHandover(name)).toThrow(new RunError('internal', `${name}: no handover of ours`))
  expect(readHandover(file)).toEqual({})
})

type Variables = Readonly<Record<string, string>>
it.each<readonly [Variables, Variables]>([
  // Copies of inputs and tokens are found by their value, from eight characters on.
  [{ INPUT_API_KEY: 'one-two-three', A: 'see one-two-three' }, {}],
  [{ INPUT_TOKEN: 'one-two-three', A: 'one-two-three' }, {}],
  [{ input_my_token: 'one-two-three', A: 'one-two-three' }, {}],
  [{ ACTIONS_RUNTIME_TOKEN: 'one-two-three', A: 'one-two-three' }, {}],
  [{ INPUT_KEY: '12345678', A: 'x12345678' }, {}],
  [{ INPUT_KEY: '1234567', A: 'x1234567' }, { A: 'x1234567' }],
  // Other inputs are left out without their copies.
  [{ INPUT_PROMPT: 'one-two-three', A: 'one-two-three' }, { A: 'one-two-three' }],
  [{ ACTIONS_RUNTIME_NAME: 'one-two-three', A: 'one-two-three' }, { A: 'one-two-three' }],
  [{ STATE_x: '1', INPUT_: '2', ACTIONS_: '3' }, {}],
  // The names begin so; others stay.
  ...[
    { MY_STATE_X: '1', MY_INPUT_X: '2', MY_ACTIONS_X: '3' },
    { HOME: '/h', GITHUB_SHA: 'a'.repeat(40), CI: 'true' },
  ].map((kept) => [kept, kept] as const),
  // A secret by its name, however short.
  [{ DB_PASSWORD: 'abc', A: 'abc' }, { A: 'abc' }],
])('of %j leaves %j', (given, left) => {
  expect(withoutSecrets(given)).toEqual(left)
})
