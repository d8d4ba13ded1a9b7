import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { expandCommand } from '../../src/context/expandCommand.ts'
import { listCommands } from '../../src/context/listCommands.ts'
import { loadAgents } from '../../src/context/loadAgents.ts'
import { loadInstructions } from '../../src/context/loadInstructions.ts'
import { loadSkills } from '../../src/context/loadSkills.ts'
import type { DefinitionFolder } from '../../src/context/readDefinition.ts'
import { systemPrompt } from '../../src/context/systemPrompt.ts'
import { messageOf } from '../../src/contracts/errors.ts'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import { linesOf, withOutputs } from '../../src/lib/text/fillTemplate.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const QUESTION = /^(\$|@policy|@flag) (.*)$/

/** «x*9» is nine of it, «\u200b» a character. In the name of a file, «#*9» makes nine files. */
function textOf(text: string): string {
  return text
    .replaceAll('⏎', '\n')
    .replace(/«\\u([0-9a-f]{4})»/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/«(.+?)\*(\d+)»/g, (_, part: string, times: string) =>
      Array.from({ length: Number(times) }, (__, n) => part.replace('#', `${n}`)).join(''),
    )
}

function pathsOf(path: string): readonly string[] {
  const [all, times] = /«#\*(\d+)»/.exec(path) ?? []
  return all === undefined ? [path] : Array.from({ length: Number(times) }, (_, n) => path.replace(all, `${n}`))
}

/** A list of a hundred by its first, and how many they are. */
function few(lines: readonly string[]): readonly string[] {
  return lines.length < 50 ? lines : [...lines.slice(0, 3), `… ${lines.length}`]
}

function write(base: string, lines: readonly string[]): void {
  for (const line of lines.filter((each) => !QUESTION.test(each))) {
    const [, path = '', sign, text = ''] = /^(.+?)(: ?| -> )(.*)$/.exec(line) ?? []
    for (const name of pathsOf(path)) {
      const file = name.startsWith('PLUGIN/') ? join(base, name) : join(base, 'project', name)
      mkdirSync(dirname(file), { recursive: true })
      if (sign === ' -> ') symlinkSync(text, file)
      // One byte for a character: what is no UTF-8 is a lone surrogate in the table.
      else writeFileSync(file, text === '«\\ud800»' ? Buffer.from([0xff, 0xfe]) : textOf(text))
    }
  }
}

/** What a run makes of a project: the text before the task, what it offers, and the prompt of each command. */
async function told(lines: readonly string[]): Promise<string> {
  const base = makeFolder()
  const [root, plugin] = [join(base, 'project'), join(base, 'PLUGIN')]
  mkdirSync(root)
  writeFileSync(join(base, 'secret.md'), 'outside')
  write(base, lines)
  const asked = lines.map((line) => QUESTION.exec(line)).filter((match) => match !== null)
  const said = (mark: string) => asked.filter(([, each]) => each === mark).map(([, , text = '']) => textOf(text))
  const files = createFileAccess({ roots: [root], forbidden: [] })
  const folders: readonly DefinitionFolder[] = [
    { folder: join(root, '.claude'), files, prefix: '' },
    { folder: plugin, files: createFileAccess({ roots: [plugin], forbidden: [] }), prefix: 'kit:' },
  ]
  const instructions = await loadInstructions(root, files)
  const skills = await loadSkills(folders)
  const policy = JSON.parse(said('@policy')[0] ?? '{}')
  const agents = await loadAgents({ folders, policy, flag: said('@flag')[0] }).catch((error: unknown) => ({
    ...{ agents: [], warnings: [`${Reflect.get(Object(error), 'reason')}: ${messageOf(error)}`] },
  }))
  const own = agents.agents.filter(({ source }) => source !== 'built in')
  const offered = { agents: own, skills: skills.skills }
  const common = { additionalDirectories: [], platform: 'linux', systemPrompt: 'Y' }
  const prompt = systemPrompt({ cwd: root, ...common, ...offered })
  const prompts = said('$').map(async (text) => {
    const place = { folders, cwd: root, checkout: files, sessionId: 'session' }
    try {
      const filled = await expandCommand(text, { ...place, mayRead: (path) => !path.endsWith('closed.js') })
      const outputs = linesOf(filled).map((line) => `<output of ${line}>`)
      return `${text} → ${withOutputs(filled, outputs)}`
    } catch (error) {
      return `${text} → refused as ${Reflect.get(Object(error), 'reason')}: ${messageOf(error)}`
    }
  })
  const warnings = [...instructions.warnings, ...agents.warnings, ...skills.warnings]
  const parts = [
    ...[instructions.files.map((file) => `read: ${file}`), instructions.text, warnings.map((text) => `! ${text}`)],
    ...[
      few(own.map((agent) => JSON.stringify(agent))),
      few(skills.skills.map((skill) => JSON.stringify(skill))),
      ...prompt
        .split('\n\n')
        .slice(2)
        .map((part) => few(part.split('\n'))),
    ],
    ...[few((await listCommands(folders)).map((name) => `/${name}`)).join(' '), await Promise.all(prompts)],
  ]
  return parts
    .flat()
    .filter((part) => part !== '')
    .join('\n')
    .replace(/(.)\1{99,}/g, (all, part: string) => `«${part}*${all.length}»`)
    .replaceAll(root, 'PROJECT')
    .replaceAll(plugin, 'PLUGIN')
    .replaceAll(base, 'BASE')
    .replace(/(.)\1{59,}/g, (all, sign: string) => `${sign}… ${all.length} times`)
}

// Read it as the model does, and as somebody who wrote these files: `npx vitest run test/context/projects.test.ts -u` writes it.
it('makes of each project what the model gets of it, and warns of what it does not use', {
  timeout: 120_000,
}, async () => {
  const sections = readFileSync(new URL('projects.txt', import.meta.url), 'utf8')
    .split('\n\n')
    .slice(1)
  const all: string[] = []
  for (const section of sections) {
    const [title, ...lines] = section.trimEnd().split('\n')
    all.push(`${title}\n${await told(lines)}\n`)
  }
  expect(all.join('\n')).not.toMatch(/outside$|root:x|obey|\u200b|\u202e/m)
  await expect(all.join('\n')).toMatchFileSnapshot('golden/projects.txt')
})
