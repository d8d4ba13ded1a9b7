import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { evaluate } from '../../src/policy/evaluate.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { callOf, policyOf } from '../helpers/policyCalls.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-entry-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** `dist/out` and `dist/sub/out` lead out of `dist`, `dist/in` to another file there. */
for (const folder of ['src/t', 'dist/sub']) mkdirSync(join(root, folder), { recursive: true })
for (const file of ['out', 'src/out', 'src/in', 'src/a', 'src/t/out', 'dist/b']) writeFileSync(join(root, file), 'x')
symlinkSync('../out', join(root, 'dist/out'))
symlinkSync('b', join(root, 'dist/in'))
symlinkSync(join(root, 'out'), join(root, 'dist/sub/out'))

async function judge(text: string): Promise<string> {
  const policy = await policyOf({ allow: ['Bash(cp *)', 'Bash(mv *)', 'Bash(install *)'] }, { cwd: root })
  return evaluate(policy, callOf('Bash', analyzeCommand(text, shellContext(root)).subjects)).behavior
}

test.each([
  'cp src/out dist/',
  'cp src/out dist',
  'cp src/a src/out dist',
  'cp -t dist src/out',
  'cp -r src/. dist',
  'cp -a src/t/. dist/sub/',
  'cp -r src/* dist/',
  'install src/out dist/',
])('%s would be written through a link', async (text) => expect(await judge(text)).toBe('ask'))

test.each([
  'cp src/a dist/',
  'cp src/in dist/',
  'cp -r src/t dist/',
  'cp -r src new',
  'cp src/out src/t/',
  'mv src/out dist/',
])('%s would not', async (text) => expect(await judge(text)).toBe('allow'))
