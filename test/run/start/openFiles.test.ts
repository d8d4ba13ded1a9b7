import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFiles, openOwnFolder, projectFilesOf } from '../../../src/run/start/openFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { HOME, policyOf, type RuleLists } from '../../helpers/policy/policyCalls.ts'

const FILES = ['project/a', 'project/denied', 'project/asked', 'project/policy.yml', 'project/.records/run.jsonl']
const OUTSIDE = ['blobs/body', 'outside/read', 'outside/write', 'outside/none']

/** The files of a run with these rules, where `OUT` stands for the folder outside of the project. */
async function open({ allow = [], ...lists }: RuleLists) {
  const base = makeFolder()
  for (const name of [...FILES, ...OUTSIDE]) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), name)
  }
  const cwd = join(base, 'project')
  const rules = allow.map((rule) => rule.replace('OUT', `/${join(base, 'outside')}`))
  const policy = { ...(await policyOf({ ...lists, allow: rules }, { cwd })), files: [join(cwd, 'policy.yml')] }
  const options = {
    ...{ policy, workingDirectories: [cwd], blobFolder: join(base, 'blobs') },
    records: [join(cwd, '.records')],
  }
  return { base, files: openFiles(options), project: projectFilesOf(options, cwd) }
}

const LISTS: RuleLists = {
  allow: ['Read(OUT/read)', 'Edit(OUT/write)'],
  deny: ['Read(./denied)', 'Edit(./denied)'],
  ask: ['Read(./asked)'],
}

describe('the files of a run', () => {
  it.each<[string, boolean, boolean]>([
    ['project/a', true, true],
    ['project/new', false, true],
    ['project/denied', false, false],
    ['project/policy.yml', true, false],
    ['project/.records/run.jsonl', false, false],
    ['project/.records/forged.jsonl', false, false],
    ['blobs/body', true, false],
    ['outside/read', true, false],
    ['outside/write', true, true],
    ['outside/none', false, false],
  ])('%s: read %s, written %s', async (name, isRead, isWritten) => {
    const { base, files } = await open(LISTS)
    const path = join(base, name)
    const read = await files.read(path).then(
      ({ bytes }) => String(Buffer.from(bytes)),
      () => undefined,
    )
    expect(read).toBe(isRead ? name : undefined)
    const before = existsSync(path)
    const write = files.write(path, Buffer.from('changed'))
    if (isWritten) {
      await write
      expect(readFileSync(path, 'utf8')).toBe('changed')
    } else {
      await expect(write).rejects.toMatchObject({ name: 'FileError' })
      expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(before ? name : '')
    }
  })
})

describe('the instructions, agents and skills of the checkout', () => {
  it.each([
    ['project/a', true],
    ['project/denied', false],
    ['project/asked', false],
    ['project/.records/run.jsonl', false],
    ['outside/none', false],
  ])('%s: read %s, without a rule', async (name, isRead) => {
    const { base, project } = await open(LISTS)
    const read = await project.read(join(base, name)).then(
      () => true,
      () => false,
    )
    expect(read).toBe(isRead)
  })
})

it('a folder of the run is made at the first write, for its user alone; it may be behind a link', async () => {
  const base = makeFolder()
  mkdirSync(join(base, 'real'))
  symlinkSync(join(base, 'real'), join(base, 'kept'))
  const files = openOwnFolder(join(base, 'kept/memory'), HOME)
  const folder = join(base, 'real/memory')
  expect(existsSync(folder)).toBe(false)
  await files.write(join(folder, 'a.md'), Buffer.from('noted'))
  expect([readFileSync(join(folder, 'a.md'), 'utf8'), statSync(folder).mode & 0o777]).toEqual(['noted', 0o700])
  await expect(files.write(join(base, 'escaped'), Buffer.from('x'))).rejects.toMatchObject({ name: 'FileError' })
})
