import { expect, it } from 'vitest'
import { openHelper } from '../../src/hooks/openHelper.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const { signal } = new AbortController()
const PATH = process.env['PATH'] ?? ''

function lab(environment: Readonly<Record<string, string | undefined>> = {}) {
  const [home, project, second] = [makeFolder(), makeFolder(), makeFolder()]
  const place = { home, cwd: project, checkout: [project, second], environment: { PATH, ...environment } }
  const run = (command: string, change: Partial<typeof place> = {}, more?: Readonly<Record<string, string>>) =>
    openHelper({ ...place, ...change }, 'key', command)(signal, more)
  return { home, project, second, run }
}

it('starts in the home folder, but never in the checkout', async () => {
  const { home, second, run } = lab()
  expect(await run('pwd')).toBe(`${home}\n`)
  expect(await run('pwd', { home: second })).toBe('/\n')
})

it('has the operator’s variables, but none that leads to the checkout, and reads no settings of bash', async () => {
  const { project, second, run } = lab()
  const environment = { KEPT: 'kept', GONE: undefined, LED: `--require=${second}/x.js`, BASH_ENV: `${project}/evil` }
  const path = `${project}/bin:${second}/bin:bin:${PATH}`
  const own = { environment: { ...environment, PATH: path } }
  const print = 'echo "${KEPT-no} ${GONE-no} ${LED-no} ${BASH_ENV-no} ${MORE-no} $PATH"'
  const first = await run(print, own)
  expect(first).toBe(`kept no no no no ${[...new Set(PATH.split(':'))].join(':')}\n`)
  expect(await run(print, own, { MORE: 'more', KEPT: 'other' })).toMatch(/^other no no no more \//)
  expect(await run(print, { environment: { PATH: '' } })).toMatch(/^no no no no no \/usr/)
})

it.each<[string, string, Readonly<Record<string, string>>, RegExp]>([
  ['fails', 'echo no vault >&2; exit 7', {}, /^key failed \(exit code 7\): no vault$/],
  ['says too much', 'printf "%0600d" 5 >&2; exit 1', {}, /^key failed \(exit code 1\): 0{499}5$/],
  ['does not start', 'true', { PATH: '/no/such/folder' }, /^key failed \(.*ENOENT.*\): $/],
])('is an error with its words if it %s', async (_, command, environment, words) => {
  const { run } = lab(environment)
  await expect(run(command)).rejects.toMatchObject({ reason: 'auth', message: expect.stringMatching(words) })
})

it('never runs what names the checkout', () => {
  const { second, run } = lab()
  const message = 'key names something in the checkout: name a program outside it'
  expect(() => run(`sh ${second}/x`)).toThrow(expect.objectContaining({ reason: 'config', message }))
})
