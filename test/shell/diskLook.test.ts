import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../src/policy/evaluate.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { diskLook } from '../../src/shell/diskLook.ts'
import { callOf, policyOf } from '../helpers/policyCalls.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-look-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILES = 'secret/key .env test/a src/a src/b docs/a.md env/prod/a.key env/test/a.txt sub/secrets/key'.split(' ')
const LINKS = {
  lnk: 'secret',
  tlink: 'test',
  'docs/x.md': '../secret/key',
  'docs/e.txt': '../.env',
  'docs/round': 'round',
  'docs/new': '../secret/new',
}
for (const file of FILES) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), file)
}
for (const [link, target] of Object.entries(LINKS)) symlinkSync(target, join(root, link))

async function judge(deny: readonly string[], text: string): Promise<string> {
  const allow = ['cat', 'cp', 'mv', 'rm', 'ls', 'rsync'].map((name) => `Bash(${name} *)`)
  const policy = await policyOf({ allow, deny }, { cwd: root })
  const { subjects } = analyzeCommand(text, shellContext(root))
  const { behavior, reason } = evaluate(policy, callOf('Bash', subjects))
  return reason.type === 'protected' ? 'protected' : behavior
}

describe('a glob is judged by where links on its way lead', () => {
  test.each([
    ['cat l*/key', 'deny'],
    ['cat l*/k*', 'deny'],
    ['cat docs/*.md', 'deny'],
    ['cat docs/x*', 'deny'],
    ['cat docs/a*', 'allow'],
    ['cat docs/ne*', 'deny'],
    ['cat docs/r*', 'allow'],
    ['cat docs/e*', 'protected'],
    ['rm tl*/a', 'deny'],
    ['rm tl*/missing', 'deny'],
    ['ls tl*/a', 'allow'],
    ['ls src/*', 'allow'],
    ['cat "docs/$(ls secret)"', 'deny'],
    ['cat docs/"$(ls)"/k*', 'deny'],
    ['for f in a "$(ls)"; do cat "src/$f"; done', 'deny'],
    ['for f in a b; do cat "src/$f"; done', 'allow'],
    ['cat sr*/a', 'allow'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Read(/secret/**)', 'Edit(/test/**)'], text)).toBe(verdict)
  })
})

describe('a tree is judged by what it holds', () => {
  test.each([
    ['cp -r sub/secrets x', 'deny'],
    ['cp -r sub x', 'deny'],
    ['cp -a s* x', 'deny'],
    ['rsync -r sub/ x', 'deny'],
    ['mv env/prod env/x', 'deny'],
    ['mv env x', 'deny'],
    ['mv env/* x', 'deny'],
    ['mv ENV/prod env/x', 'allow'],
    ['mv env/test env/x', 'allow'],
    ['cp -r src x', 'allow'],
    ['rm -rf src', 'allow'],
    ['rm -rf docs', 'allow'],
    ['rm -rf missing', 'allow'],
    ['mv src/a src/c', 'allow'],
  ])('%s', async (text, verdict) => {
    expect(await judge(['Read(**/secrets/*)', 'Read(**/prod/*.key)', 'Read(**/.env)'], text)).toBe(verdict)
  })

  test('by a rule from a folder on too', async () => {
    expect(await judge(['Read(/env/*/a.key)'], 'mv env/prod env/x')).toBe('deny')
    expect(await judge(['Read(/env/*/a.key)'], 'mv env/test env/x')).toBe('allow')
  })
})

describe('what is too much to look through may be anything', () => {
  const wide = join(root, 'wide')
  mkdirSync(wide)
  for (let index = 0; index < 400; index += 1) mkdirSync(join(wide, String(index)))
  symlinkSync('.', join(wide, 'a'))
  symlinkSync('.', join(wide, 'b'))

  test('many entries and links', () => {
    expect(diskLook().linksOf(root, 'wide/*/x')).toHaveLength(2)
    expect(diskLook().linksOf(root, 'wide/*/*/*/*/*/*/*/*/x')).toBeUndefined()
    expect(diskLook().below(wide, '*/*/*/*/*/*/*/*/*/*')).toBe(undefined)
    expect(diskLook().below(wide, undefined)).toHaveLength(402)
  })

  test('for a glob, and for a tree', async () => {
    expect(await judge(['Read(/secret/**)'], 'cat wide/*/*/*/*/*/*/*/*/x')).toBe('deny')
    expect(await judge([], 'cat wide/*/*/*/*/*/*/*/*/x')).toBe('allow')
    expect(await judge(['Read(**/none/*.key)'], 'rm -r wide/*/*/*/*/*/*/*/*/*/*')).toBe('deny')
  })
})
