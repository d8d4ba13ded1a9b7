import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
// Named here, so that they are loaded with this file.
import '../../../src/commands/policy/policyDiff.ts'
import '../../../src/commands/policy/policyExplain.ts'
import '../../../src/commands/policy/policyTest.ts'
import { showHelp } from '../../../src/commands/showHelp.ts'
import { parseArguments } from '../../../src/config/parseArguments.ts'
import { RunError } from '../../../src/contracts/errors.ts'
import { commandLine, tryCommandLine } from '../../helpers/commandLine.ts'
import { writeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordCalls } from '../../helpers/policy/recordCalls.ts'
import { sectionsOf } from '../../helpers/policy/sections.ts'
import { openTestIo } from '../../helpers/testIo.ts'

/** What a line of the corpus prints: `cat FILE`, or a command of kode-run with `< FILE` for its stdin. */
async function printed(cwd: string, line: string): Promise<string> {
  const [first = '', ...words] = [...line.matchAll(/'([^']*)'|\S+/g)].map(([all, quoted]) => quoted ?? all)
  const pathOf = (name = '') => join(cwd, name)
  if (first === 'cat') return existsSync(pathOf(words[0])) ? readFileSync(pathOf(words[0]), 'utf8') : 'no such file\n'
  const at = words.indexOf('<')
  const [argv, stdin] = at < 0 ? [words, ''] : [words.slice(0, at), readFileSync(pathOf(words[at + 1]), 'utf8')]
  try {
    const invocation = parseArguments(argv)
    if (invocation.show === 'help') {
      const { io, said } = openTestIo(argv)
      showHelp(io, invocation.topic)
      return said.stdout
    }
    const { code, out } = await commandLine(cwd, argv, { stdin })
    return `${out}(${code})\n`
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    return `${error.message}\n(${error.reason})\n`
  }
}

const [shared, ...sections] = sectionsOf(new URL('commands.txt', import.meta.url))

/** A folder with the shared files and those of one section. */
function projectOf({ files }: Pick<(typeof sections)[number], 'files'>): string {
  const cwd = makeFolder()
  const all = [...(shared?.files ?? []), ...files]
  const isCalls = (path: string, content: string) => path.endsWith('.jsonl') && !content.startsWith('{')
  for (const [path, content] of all)
    writeFiles(cwd, { [path]: isCalls(path, content) ? recordCalls(content, '/builds/old') : content })
  return cwd
}

// Read it as a person at a terminal does. `npx vitest run test/commands/policy/policyWords.test.ts -u` writes it.
it('prints what each command says of policies and records', { timeout: 60_000 }, async () => {
  let all = ''
  for (const { name, text, files } of sections) {
    const cwd = projectOf({ files })
    all += `=== ${name}\n`
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const out = await printed(cwd, line.slice(2))
      all += `${line}\n${out
        .replaceAll(cwd, 'PROJECT')
        .replaceAll(dirname(cwd), 'OUTSIDE')
        .replace(/(is not JSON): [^"\n]*/g, '$1: …')}\n`
    }
  }
  await expect(all).toMatchFileSnapshot('golden/words.txt')
})

it('expects nothing of a record that was changed', async () => {
  const cwd = projectOf({ files: [] })
  const [first, , ...others] = readFileSync(join(cwd, 'ran.jsonl'), 'utf8').split('\n')
  writeFiles(cwd, { 'cut.jsonl': [first, ...others].join('\n') })
  const replay = ['policy', 'replay', 'cut.jsonl', '--policy', 'policy.yml']
  expect((await tryCommandLine(cwd, replay)).code).toBe(0)
  expect((await tryCommandLine(cwd, [...replay, '--expect-same'])).code).toBe('bad_input')
})

// Jobs depend on these, whatever is printed.
it.each<[string, number | string]>([
  ['explain --policy policy.yml Read(.env)', 0],
  ['explain Bash(ls', 'usage'],
  ['check odd.yml policy.yml', 0],
  ['check policy.yml bad.yml', 78],
  ['check hooks.yml', 78],
  ['check pattern.yml', 78],
  ['test policy.yml', 0],
  ['test broken.yml', 1],
  ['test odd.yml', 'bad_input'],
  ['test odd.yml --replay hostile.yml', 1],
  ['test policy.yml --replay hostile.yml', 0],
  ['test policy.yml --junit no/such/folder.xml', 'cannot_create'],
  ['replay old.jsonl --policy policy.yml', 0],
  ['replay old.jsonl --policy policy.yml --expect-same', 1],
  ['replay ran.jsonl --policy policy.yml --expect-same', 0],
  ['replay old.jsonl', 'usage'],
  ['replay gone.jsonl --policy policy.yml', 'bad_input'],
  ['replay notes.jsonl --policy policy.yml --expect-same', 'bad_input'],
  ['suggest notes.jsonl', 'bad_input'],
  ['suggest old.jsonl --apply', 'usage'],
])('policy %s ends with %s', async (line, code) => {
  const cwd = projectOf({ files: [] })
  expect((await tryCommandLine(cwd, ['policy', ...(line.match(/\S+\([^)]*\)?|\S+/g) ?? [])])).code).toBe(code)
})
