import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { diffLines } from 'diff'
import { expect, it } from 'vitest'
import { messageOf, RunError } from '../../src/contracts/errors.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { gitAt } from '../helpers/git.ts'
import { lintWorkflow } from '../helpers/github/lintWorkflow.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

/** Where mutants are played, the golden file has to notice them. */
const isMutated = process.env['KODE_RUN_MUTATION_TESTS'] !== undefined

/** What `init` starts besides the package managers. */
const PROGRAMS = ['git', 'sh', 'sed', 'grep']

function programFolder(): string {
  const bin = makeFolder()
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const name of PROGRAMS) {
    const file = folders.map((folder) => join(folder, name)).find(existsSync)
    if (file !== undefined) symlinkSync(file, join(bin, name))
  }
  return bin
}

type Project = {
  readonly folder: string
  readonly jobs: readonly string[]
  /** The linter of workflows takes a quarter of a second: only what is written for projects that name their jobs is checked. */
  readonly isChecked: boolean
  readonly surroundings: { readonly environment: Readonly<Record<string, string>>; readonly home: string }
}

function projectOf(lines: readonly string[]): Project {
  const [folder, home, bin] = [makeFolder(), makeFolder(), programFolder()]
  const places = { '~': home, PATH: bin }
  const environment: Record<string, string> = { PATH: bin, HOME: home }
  const jobs: string[] = []
  for (const line of lines) {
    const [, name = '', sign, text = ''] = /^([^\s=:]+)(=|: ?| )(.*)$/.exec(line) ?? []
    if (sign === ' ') jobs.push(text)
    else if (sign === '=') environment[name] = text
    else if (name === 'origin') {
      gitAt(folder)('init', '-q')
      gitAt(folder)('remote', 'add', 'origin', text)
    } else {
      const [place, ...rest] = name.split('/')
      const file = place === '~' || place === 'PATH' ? join(places[place], ...rest) : join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${place === 'PATH' ? '#!/bin/sh\n' : ''}${text.replaceAll('⏎', '\n')}\n`, { mode: 0o755 })
    }
  }
  return {
    folder,
    isChecked: jobs.length > 0,
    jobs: jobs.length === 0 ? ['fix'] : jobs,
    surroundings: { environment, home },
  }
}

/** The first text of its name as it is, each later one as its difference to that. */
function createShow(): (name: string, text: string) => string {
  const known = new Map<string, string>()
  return (name, text) => {
    const first = known.get(name)
    if (first === undefined) {
      known.set(name, text)
      return `--- ${name}\n${text}`
    }
    const changed = diffLines(first, text).filter(({ added, removed }) => added || removed)
    const lines = changed.flatMap(({ value, added }) =>
      value
        .trimEnd()
        .split('\n')
        .map((line) => `${added ? '+' : '-'} ${line}\n`),
    )
    return `--- ${name}${lines.length === 0 ? ' as above' : ''}\n${lines.join('')}`
  }
}

/** What is wrong with what `init` wrote, by our own commands and by the schemas of workflows. */
async function faultsOf({ folder, surroundings }: Project, paths: readonly string[]): Promise<readonly string[]> {
  const faults = paths.map(async (path) => {
    if (path.startsWith('.github/')) return lintWorkflow(readFileSync(join(folder, path), 'utf8'), path)
    if (path.endsWith('.gitlab-ci.yml')) return []
    const check = await commandLine(folder, ['policy', 'check', path], surroundings)
    const test = await commandLine(folder, ['policy', 'test', path], surroundings)
    return [check, test].flatMap(({ code, out }) => (code === 0 ? [] : out))
  })
  return (await Promise.all(faults)).flat()
}

// Read it as somebody who starts `init` in such a project: `npx vitest run test/commands/init.test.ts -u` writes it.
it('writes for each little project what fits it, and says so', { tags: 'long', timeout: 120_000 }, async () => {
  const sections = readFileSync(new URL('initProjects.txt', import.meta.url), 'utf8')
    .split('\n\n')
    .slice(1)
  const show = createShow()
  const told: string[] = []
  const faults: string[] = []
  for (const [title = '', ...lines] of sections.map((section) => section.trim().split('\n'))) {
    const project = projectOf(lines)
    for (const job of project.jobs) {
      told.push(`\n${title}: init ${job}\n`)
      try {
        const { out } = await commandLine(project.folder, ['init', ...job.split(' ')], project.surroundings)
        const written = [...out.matchAll(/written: (\S+)/g)].map(([, path = '']) => path)
        told.push(show(`what init ${job.split(' ')[0]} says`, out))
        told.push(...written.map((path) => show(path, readFileSync(join(project.folder, path), 'utf8'))))
        if (project.isChecked && !isMutated)
          faults.push(...(await faultsOf(project, written)).map((fault) => `${title}: ${fault}`))
      } catch (error) {
        const reason = error instanceof RunError ? error.reason : 'internal'
        told.push(`refused as ${reason}: ${messageOf(error).replaceAll(project.folder, 'PROJECT')}\n`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(told.join('')).not.toContain('CANARY')
  await expect(told.join('').trimStart()).toMatchFileSnapshot('golden/init.txt')
})

it('says where CI reads its files, if that is not here', async () => {
  const { folder, surroundings } = projectOf(['origin: https://github.com/a/b.git', 'web/package.json: {}'])
  const { out } = await commandLine(join(folder, 'web'), ['init'], surroundings)
  expect(out).toContain(`only at the top of the repository, so run kode-run init in ${folder}`)
  expect((await commandLine(folder, ['init'], surroundings)).out).not.toContain('only at the top')
})

it('keeps new files in the patch of a job on GitLab, and the records out of it', async () => {
  const { folder, surroundings } = projectOf(['.gitlab-ci.yml:', 'old.txt: old', 'origin: https://gitlab.com/a/b.git'])
  await commandLine(folder, ['init'], surroundings)
  const git = gitAt(folder)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'all')
  const job = readFileSync(join(folder, '.kode/fix.gitlab-ci.yml'), 'utf8')
  const lines = [...job.matchAll(/^ {4}- (mkdir .*?|git add .*)$/gm)].map(([, line = '']) =>
    line.replace(/ && git fetch .*/, ''),
  )
  writeFileSync(join(folder, 'old.txt'), 'changed\n')
  writeFileSync(join(folder, 'new.txt'), 'new\n')
  execFileSync('sh', ['-ec', lines.join('\n')], { cwd: folder, env: { ...process.env, CI_COMMIT_SHA: 'HEAD' } })
  const patch = readFileSync(join(folder, 'kode-run/changes.patch'), 'utf8')
  expect([...patch.matchAll(/^diff --git a\/(\S+)/gm)].map(([, path]) => path)).toEqual(['new.txt', 'old.txt'])
})

it('overwrites nothing', async () => {
  const paths = ['.kode/policy.yml', '.github/workflows/kode-run.yml']
  const { folder, surroundings } = projectOf(paths.map((path) => `${path}: mine`))
  await commandLine(folder, ['init'], surroundings)
  expect(paths.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(['mine\n', 'mine\n'])
})
