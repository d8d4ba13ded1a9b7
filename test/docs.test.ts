import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { documents } from '../scripts/documents.ts'
import { parseArguments } from '../src/config/parseArguments.ts'
import { loadPolicy } from '../src/policy/load/loadPolicy.ts'
import { sandboxProblem } from './faults/machine.ts'
import { type CodeBlock, codeBlocksOf, commandLinesOf, kodeRunCalls } from './helpers/docs/codeBlocks.ts'
import { deadLinks, linksOf } from './helpers/docs/documentLinks.ts'
import { lintDocument } from './helpers/docs/documentLint.ts'
import { makeFolder } from './helpers/makeFolder.ts'
import { kodeRun } from './helpers/runs/kodeRun.ts'

const all = documents()
const readme = readFileSync('README.md', 'utf8')
const blocks = all.flatMap(codeBlocksOf)
const inLanguage = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language))
const scratch = makeFolder('kode-run-docs-')

describe.each(all)('$path', (document) => {
  it('has no broken links', () => {
    expect(deadLinks(document)).toEqual([])
  })

  it('has short sentences, cells and paragraphs', () => {
    expect(lintDocument(document)).toEqual([])
  })
})

describe('the lint of documents', () => {
  const words = (count: number) => `${'word '.repeat(count - 1)}end.`
  it.each([
    ['a long sentence', words(31), 'a sentence of 31 words'],
    ['a long sentence of an item', `- Short.\n- ${words(31)}`, 'a sentence of 31 words'],
    ['a sentence over several lines', `${'word word word word\n'.repeat(8)}`, 'a sentence of 32 words'],
    ['a long paragraph', `${words(20)} `.repeat(5), 'a paragraph of 100 words'],
    ['a long cell', `| a |\n|---|\n| ${'a '.repeat(26)} |`, 'a cell of 26 words'],
    ['a wide line of a table', `| a |\n|---|\n| ${'x'.repeat(120)} |`, 'a table line of 124 characters'],
  ])('finds %s', (_name, text, problem) => {
    expect(lintDocument({ path: 'a.md', text })).toEqual([expect.stringContaining(problem)])
  })

  it('ignores code, link targets and short text', () => {
    const link = `[here](${'a/'.repeat(100)}b.md)`
    const text = `${words(30)}\n\n\`\`\`sh\n${words(40)}\n\`\`\`\n\n| a |\n|---|\n| ${link} \`${'a b '.repeat(20)}\` |\n`
    expect(lintDocument({ path: 'a.md', text })).toEqual([])
  })

  it.each([
    ['a file that is not there', '[a](nowhere.md)', 'nowhere.md is not there'],
    ['a heading that is not there', '[a](docs/rules.md#nothing)', 'docs/rules.md#nothing has no such heading'],
    ['a source file that is not there', 'See `src/lib/nothing.ts`.', 'src/lib/nothing.ts is not there'],
    ['a heading of its own that is not there', '# One\n[a](#two)', '#two has no such heading'],
    ['another file than it names', '[cli.ts](src/run/run.ts)', 'the link cli.ts leads to src/run/run.ts'],
  ])('finds a link to %s', (_name, text, problem) => {
    expect(deadLinks({ path: 'a.md', text })).toEqual([expect.stringContaining(problem)])
  })

  it('accepts links to existing files, folders and headings', () => {
    const text = '# One, two!\n[a](#one-two) [b](docs) [c](docs/rules.md#commands) [d](https://example.com)'
    expect(deadLinks({ path: 'a.md', text })).toEqual([])
  })
})

/** Sub-folders of modules that the map of the source does not name. */
function unmapped(folders: readonly string[], map: string): string[] {
  const rows = map.split('\n').filter((line) => line.startsWith('| `'))
  return folders.filter((folder) => {
    const [module = '', name = ''] = folder.split('/')
    return !rows.some((row) => row.includes(`\`${module}/`) && new RegExp(`[\`/]${name}\``).test(row))
  })
}

describe('src/README.md', () => {
  const folders = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^src\/(?!tools)\w+$/.test(entry.parentPath))
    .map((entry) => `${entry.parentPath.slice(4)}/${entry.name}`)

  it('describes each sub-folder', () => {
    expect(folders.length).toBeGreaterThan(30)
    expect(unmapped(folders, readFileSync('src/README.md', 'utf8'))).toEqual([])
  })

  it('reports a missing sub-folder', () => {
    expect(unmapped(['lib/fs', 'lib/git', 'run/fs'], '| `lib/process` `fs` | files |\n')).toEqual(['lib/git', 'run/fs'])
  })
})

describe('README', () => {
  it('is one screen', () => {
    expect(readme.split('\n').length).toBeLessThan(85)
  })

  it('names the two commands to start with, which package.json defines', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const lines = codeBlocksOf({ path: 'README.md', text: readme }).flatMap(commandLinesOf)
    expect(lines).toEqual(expect.arrayContaining(['npm run try', 'npm test']))
    for (const [, name = ''] of lines.join('\n').matchAll(/^npm (?:run )?(\w+)$/gm))
      expect(scripts).toHaveProperty(name)
  })

  it('links to every document', () => {
    const index = [...linksOf(readme), ...linksOf(readFileSync('docs/README.md', 'utf8')).map((link) => `docs/${link}`)]
    for (const { path } of all.filter((one) => /^docs\/(?!README)/.test(one.path))) expect(index).toContain(path)
  })
})

describe('code blocks', () => {
  const policies = inLanguage('yaml').filter(({ text }) => /^version:/m.test(text))

  it.each(policies.map((block) => [block.place, block]))(
    'the policy at %s loads without a warning',
    async (place, block) => {
      const folder = join(scratch, place.replace(/\W/g, '-'))
      mkdirSync(folder)
      writeFileSync(join(folder, 'policy.yml'), block.text)
      writeFileSync(join(folder, 'base.yml'), 'version: 1\n')
      const policy = await loadPolicy({ file: join(folder, 'policy.yml'), cwd: folder, home: folder })
      expect(policy.warnings).toEqual([])
    },
  )

  it('of workflows use only existing inputs of the action', () => {
    const known = Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs)
    const given = inLanguage('yaml').flatMap(({ text }) =>
      (parse(text).steps ?? [])
        .filter(({ uses }: { uses?: string }) => uses?.startsWith('kode-run/'))
        .flatMap((step: { with: object }) => Object.keys(step.with)),
    )
    expect(given.length).toBeGreaterThan(2)
    for (const name of given) expect(known).toContain(name)
  })

  const calls = inLanguage('sh').flatMap((block) =>
    commandLinesOf(block).flatMap((line) => kodeRunCalls(line).map((argv) => [block.place, argv] as const)),
  )

  it.each(calls)('the command line at %s is valid: %j', (_place, argv) => {
    expect(parseArguments(argv)).toMatchObject({ command: expect.any(String) })
  })

  it('are in a language that a test checks, or plain text', () => {
    const languages = new Set(blocks.map(({ language }) => language))
    expect([...languages].sort()).toEqual(['js', 'sh', 'text', 'yaml'])
    expect([policies.length > 5, calls.length > 20]).toEqual([true, true])
  })

  it('in `sh` start programs that are known here', () => {
    const programs = inLanguage('sh')
      .flatMap(commandLinesOf)
      .map((line) => line.replace(/^(?:\w+=\S+ )*(\S+).*/, '$1'))
    expect([...new Set(programs)].sort()).toEqual(['cosign', 'cp', 'git', 'jq', 'kode-run', 'mkdir', 'npm', 'npx'])
  })

  it('of these commands run: policy check, test, schema, explain, tools', async () => {
    const folder = join(scratch, 'answers')
    mkdirSync(folder)
    const policy = codeBlocksOf({ path: '', text: readFileSync('docs/policy.md', 'utf8') })[0]
    writeFileSync(join(folder, 'policy.yml'), (policy as CodeBlock).text)
    writeFileSync(join(folder, 'base.yml'), 'version: 1\n')
    const cheap = calls.filter(
      ([, [first, second, ...rest]]) =>
        (first === 'tools' || (first === 'policy' && !['suggest', 'replay'].includes(second ?? 'suggest'))) &&
        rest.join(' ').includes('policy.yml'),
    )
    expect(cheap.length).toBeGreaterThan(3)
    for (const [place, argv] of cheap) {
      const { code, stderr } = await kodeRun(argv, { cwd: folder })
      expect([place, argv, code === 0 || argv[1] === 'explain', stderr]).toEqual([place, argv, true, ''])
    }
  })
})

/** The commands of a section, in the order in which a reader types them. */
function sectionOf(path: string, title: string): CodeBlock[] {
  const [, text = ''] = readFileSync(path, 'utf8').split(`## ${title}\n`)
  return codeBlocksOf({ path, text: text.split(/^## /m)[0] ?? '' })
}

describe.skipIf(sandboxProblem() !== undefined)('the tutorial in docs/policy.md (needs bubblewrap)', () => {
  it('leads to a policy under which the task runs', { tags: 'long' }, () => {
    const base = join(scratch, 'five-minutes')
    const example = resolve('examples/replay/fix-failing-test')
    cpSync(join(example, 'repo'), join(base, 'project'), { recursive: true })
    const [policy, ...steps] = sectionOf('docs/policy.md', 'In five minutes')
    writeFileSync(join(base, 'project/policy.yml'), policy?.text ?? '')
    const env = { PATH: process.env['PATH'], HOME: base }
    const start = (file: string, args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(file, args, { cwd: join(base, 'project'), encoding: 'utf8', env })
      return { status, text: `${stdout}${stderr}` }
    }
    const git = (...args: string[]) => start('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args])
    git('init', '-q')
    git('add', '-A')
    git('commit', '-qm', 'one')
    const outputs = steps.flatMap(commandLinesOf).map((line) => {
      const [argv] = kodeRunCalls(line)
      if (argv === undefined) return git(...line.split(' ').slice(1))
      const isRun = argv[0]?.startsWith('--') === true
      const more = isRun ? ['--replay', join(example, 'replay.yml')] : []
      return start(process.execPath, [resolve('dist/cli.js'), ...argv, ...more])
    })
    expect(outputs.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0, 0])
    const [audit, suggested, , , replayed, , last] = outputs.map(({ text }) => text)
    expect(audit).toMatch(/npm test\) .*, no rule allows it \(--audit\)/)
    expect(suggested).toContain('- "Bash(npm test)"')
    expect(suggested).toContain('the deny rule Bash(git push *) matches it')
    expect(replayed).toContain('are decided as before')
    expect(last).toMatch(/Edit\(src\/price\.js\) \d/)
    expect(last).toContain('exit 0 (completed)')
    expect(last).toContain('1 denied')
  })
})

describe('docs/library.md and docs/transcript.md', () => {
  const folder = join(scratch, 'library')
  const node = (args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env['PATH'], HOME: join(folder, 'home') },
        ...{ KODE_RUN_REPLAY: 'replay.yml', KODE_RUN_TRANSCRIPT: 'run.jsonl' },
      },
    })
    return `${stdout}${stderr}`.trim()
  }

  it('contain working programs and commands', { tags: 'long' }, () => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(resolve('.'), join(folder, 'node_modules/kode-run'))
    for (const name of ['zod', '@modelcontextprotocol']) {
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
    }
    writeFileSync(join(folder, 'policy.yml'), 'version: 1\npermissions: { presets: [read-only] }\n')
    writeFileSync(
      join(folder, 'replay.yml'),
      '- { tool: Bash, input: { command: "touch a" } }\n- { tool: Finish, input: { status: completed, summary: Fixed. } }\n',
    )
    const programs = blocks.filter(
      ({ place, language, text }) =>
        // The Agent SDK is played by test/entry/control.
        place.startsWith('docs/library.md') && language === 'js' && !text.includes('claude-agent-sdk'),
    )
    const outputs = programs.map(({ text }, index) => {
      writeFileSync(join(folder, `block${index}.mjs`), text)
      return node([`block${index}.mjs`])
    })
    expect(outputs).toEqual(['completed Fixed.', '', 'null\ncompleted', expect.stringMatching(/^ask .+/), ''])
    const readers = blocks
      .filter(({ place, language }) => place.startsWith('docs/transcript.md') && language === 'sh')
      .flatMap(commandLinesOf)
      .flatMap(kodeRunCalls)
      .filter(([name = '']) => ['verify', 'report'].includes(name))
    expect(readers.map((argv) => node([resolve('dist/cli.js'), ...argv]))).toEqual([
      expect.stringMatching(/^run\.jsonl: intact, \d+ records/),
      '',
    ])
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Fixed.')
  })
})
