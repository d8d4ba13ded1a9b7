import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-outputs-')))
mkdirSync(join(root, 'src'))
afterAll(() => rmSync(root, { recursive: true }))

/** Whether an exact rule for the command that writes may allow its output. */
function writers(text: string): readonly boolean[] {
  const { subjects } = analyzeCommand(text, shellContext(root, root))
  return subjects.flatMap((each) =>
    each.kind === 'path' && each.source === 'redirect' ? [each.writer !== undefined] : [],
  )
}

test.each([
  ['sort -o out in', [true]],
  ['timeout 5 sort -o out in', [true]],
  ['cd src && sort -o out in', [false]],
  ['sort in > out', [false]],
  ['objcopy -O binary in out', [true]],
  ['objcopy in -O binary out', [true]],
  ['objcopy in', [true]],
  ['strip -o out in', [true]],
  ['strip in', []],
  ["ssh-keygen -q -t ed25519 -N '' -f key", [true]],
  ['ssh-keygen -lf key.pub', []],
])('%s', (text, expected) => expect(writers(text)).toEqual(expected))
