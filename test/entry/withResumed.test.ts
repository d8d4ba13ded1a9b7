import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withResumed } from '../../src/entry/withResumed.ts'
import { sampleRun, stamp } from '../helpers/runs/events.ts'

const OLD = '11111111-aaaa-4aaa-8aaa-111111111111'
const NEW = '22222222-aaaa-4aaa-8aaa-222222222222'
const OTHER = '33333333-aaaa-4aaa-8aaa-333333333333'

/** Three runs in a state folder, the newest of another project. */
function setUp(policy = '/policies/fix.yml') {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-resume-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [stateFolder, cwd] = [join(base, 'state'), join(base, 'project')]
  for (const folder of [stateFolder, cwd]) mkdirSync(folder)
  const write = (path: string, project: string, seconds: number) => {
    const [init] = stamp(sampleRun())
    writeFileSync(path, `${JSON.stringify({ ...init, cwd: project, policy: { files: [policy], sha256: '' } })}\n`)
    utimesSync(path, seconds, seconds)
  }
  write(join(stateFolder, `${OLD}.jsonl`), cwd, 1000)
  write(join(stateFolder, `${NEW}.jsonl`), cwd, 2000)
  write(join(stateFolder, `${OTHER}.jsonl`), '/elsewhere', 3000)
  write(join(cwd, 'in-checkout.jsonl'), cwd, 1000)
  writeFileSync(join(stateFolder, `${NEW}-outputs.jsonl`), '')
  return { stateFolder, cwd, folder: cwd }
}

describe('--resume', () => {
  it.each([
    ['last', NEW],
    ['latest', NEW],
    [OLD, OLD],
    ['1111111', OLD],
  ])('%s is a run of the state folder, with its policy', async (name, run) => {
    const place = setUp()
    expect(await withResumed({ resume: name }, place)).toEqual({
      resume: join(place.stateFolder, `${run}.jsonl`),
      policy: '/policies/fix.yml',
    })
  })

  it('accepts a path, but no policy from a transcript in the checkout', async () => {
    const place = setUp()
    const resume = join(place.cwd, 'in-checkout.jsonl')
    expect(await withResumed({ resume: 'in-checkout.jsonl' }, place)).toEqual({ resume })
    expect(await withResumed({ resume }, place)).toEqual({ resume })
    expect(await withResumed({ resume: '/nowhere.jsonl' }, place)).toEqual({ resume: '/nowhere.jsonl' })
  })

  it('does not replace a given policy', async () => {
    const place = setUp()
    expect(await withResumed({ resume: 'last', policy: 'mine.yml' }, place)).toMatchObject({ policy: 'mine.yml' })
    expect(await withResumed({ resume: 'last', settings: '{}' }, place)).not.toHaveProperty('policy')
  })

  it('says what is missing', async () => {
    const place = setUp('--settings')
    await expect(withResumed({ resume: 'last' }, place)).rejects.toThrow(
      'had its rules in --settings. Give --settings again.',
    )
    await expect(withResumed({ resume: 'abcdef12' }, place)).rejects.toThrow('there is no run with this id in')
    const elsewhere = { ...place, cwd: '/nowhere' }
    await expect(withResumed({ resume: 'last' }, elsewhere)).rejects.toThrow('has no run of /nowhere')
  })
})
