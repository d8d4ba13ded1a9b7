import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TranscriptRecord } from '../../../src/contracts/events.ts'
import { CLI_TEST_KEY } from '../../helpers/runs/cliRun.ts'
import { type PlayedRun, playRun } from '../../helpers/runs/playRun.ts'

function recordsOf(run: PlayedRun, subtype: string): TranscriptRecord[] {
  return run.records.filter((record) => 'subtype' in record && record.subtype === subtype)
}

function artifactsOf(run: PlayedRun): string {
  return join(dirname(run.transcript), `${run.result().session_id}-artifacts`)
}

/** Of the shape that a code host gives to its tokens. */
const TOKEN = `ghp_${'a1B2c3'.repeat(6)}`

describe('memory', () => {
  const POLICY = 'version: 1\npermissions: { allow: [MemoryRead, MemoryWrite] }\nmemory: ../kept/memory\n'
  const args = ['--tools', 'MemoryRead,MemoryWrite']

  it('is written only to its folder, redacted, and read again', async () => {
    const run = await playRun(
      [
        { name: 'MemoryRead', input: {} },
        { name: 'MemoryWrite', input: { file_path: 'index.md', content: `- flaky: a.test.ts\nkey ${TOKEN}\n` } },
        { name: 'MemoryWrite', input: { file_path: '../../project/escaped', content: 'x' } },
        { name: 'MemoryRead', input: { file_path: '../../project/a.txt' } },
        { name: 'MemoryRead', input: {} },
      ],
      { policy: POLICY, args, files: { 'a.txt': 'of the project' } },
    )
    const folder = join(run.base, 'kept/memory')
    expect(readFileSync(join(folder, 'index.md'), 'utf8')).toMatch(/^- flaky: a\.test\.ts\nkey \[REDACTED/)
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(existsSync(join(run.project, 'escaped'))).toBe(false)
    expect(run.told[0]).toBe('Nothing is remembered yet.')
    expect(run.told.slice(2, 4)).toEqual(Array(2).fill(expect.stringContaining('is not inside the memory folder')))
    expect(run.told[4]).toContain('- flaky: a.test.ts')
  })

  it('may be behind a link of the user, like a cache', { tags: 'long' }, async () => {
    const run = await playRun([{ name: 'MemoryWrite', input: { file_path: 'a/b.md', content: 'noted' } }], {
      policy: POLICY,
      args,
      prepare(project) {
        mkdirSync(join(project, '../real'))
        symlinkSync(join(project, '../real'), join(project, '../kept'))
      },
    })
    expect(readFileSync(join(run.base, 'real/memory/a/b.md'), 'utf8')).toBe('noted')
  })
})

describe('files for the user', () => {
  it('are redacted and copied into a private folder', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { presets: [read-only], allow: [SendUserFile] }\n'
    const run = await playRun(
      [
        { name: 'SendUserFile', input: { files: ['report.md', 'report.md'] } },
        { name: 'SendUserFile', input: { files: ['../policy.yml'] } },
        { name: 'SendUserFile', input: { files: ['.env'] } },
      ],
      {
        policy,
        args: ['--tools', 'SendUserFile'],
        files: { 'report.md': `all good ${CLI_TEST_KEY}\n`, '.env': 'A=1' },
      },
    )
    const folder = artifactsOf(run)
    expect(readdirSync(folder).sort()).toEqual(['report-2.md', 'report.md'])
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toMatch(/^all good \[REDACTED/)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(run.told[1]).toContain('outside the working directories')
    expect(run.result().permission_denials).toMatchObject([{ tool_input: { files: ['.env'] } }])
  })

  it('create no folder if there are none', { tags: 'long' }, async () => {
    const run = await playRun([])
    expect(existsSync(artifactsOf(run))).toBe(false)
  })
})

describe('skills', () => {
  const skill = (name: string, description: string, text: string) => ({
    [`.claude/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n${text}\n`,
  })

  it('are named at the start and read when they are used', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        { name: 'Skill', input: { skill: 'pdf', args: 'form.pdf' } },
        { name: 'Skill', input: { skill: 'secret' } },
      ],
      {
        policy: 'version: 1\npermissions: { allow: ["Skill(pdf)"] }\n',
        args: ['--tools', 'Skill'],
        files: { ...skill('pdf', 'fills forms', 'Step one: open it.'), ...skill('secret', 'not for now', 'No.') },
      },
    )
    const [first] = run.api.requests.map((request) => JSON.stringify(request.body))
    expect(first).toContain('pdf: fills forms')
    expect(first).not.toContain('Step one')
    expect(run.told[0]).toMatch(/Step one: open it\.[\s\S]*form\.pdf/)
    expect(run.result().permission_denials).toMatchObject([{ tool_name: 'Skill', tool_input: { skill: 'secret' } }])
  })

  it('are not in the prompt if the tool is not offered', { tags: 'long' }, async () => {
    const run = await playRun([], {
      policy: 'version: 1\npermissions: { deny: [Skill] }\n',
      files: skill('pdf', 'fills forms', 'Do.'),
    })
    expect(JSON.stringify(run.api.requests[0]?.body)).not.toContain('fills forms')
  })
})

describe('lists and notes', () => {
  it('leave records for reports', { tags: 'long' }, async () => {
    const todo = (content: string, status: string) => ({ content, status, activeForm: content })
    const run = await playRun(
      [
        { name: 'TodoWrite', input: { todos: [todo('look', 'completed'), todo('mend', 'in_progress')] } },
        { name: 'TaskCreate', input: { subject: 'first' } },
        { name: 'TaskCreate', input: { subject: 'second', blockedBy: ['1'] } },
        { name: 'TaskUpdate', input: { taskId: '1', addBlockedBy: ['2'] } },
        { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } },
        { name: 'TaskList', input: {} },
        { name: 'TaskGet', input: { taskId: '2' } },
        { name: 'Think', input: { thought: 'a long thought' } },
        {
          name: 'ReportFinding',
          input: { path: 'src/a.ts', line: 3, severity: 'warning', title: 'Unused', message: 'It is not used.' },
        },
      ],
      { args: ['--tools', 'TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet,Think,ReportFinding'] },
    )
    expect(recordsOf(run, 'tasks')).toMatchObject([
      {
        tasks: [
          { subject: 'look', status: 'completed' },
          { subject: 'mend', status: 'in_progress' },
        ],
      },
      { tasks: [{ id: '1', subject: 'first' }] },
      { tasks: [{ id: '1' }, { id: '2', subject: 'second' }] },
      {
        tasks: [
          { id: '1', status: 'completed' },
          { id: '2', status: 'pending' },
        ],
      },
    ])
    expect(run.told[3]).toContain('would wait for itself')
    expect(run.told[5]).toMatch(/1.*first[\s\S]*2.*second/)
    expect(run.told[6]).toContain('second')
    expect(recordsOf(run, 'finding')).toMatchObject([
      { path: 'src/a.ts', line: 3, severity: 'warning', title: 'Unused' },
    ])
    const outcomes = run.records.flatMap((record) => (record.type === 'user' ? (record.tool_use_result ?? []) : []))
    expect(outcomes.find((outcome) => outcome.tool_name === 'Think')?.rendering).toBe('a long thought')
    expect(readFileSync(run.summary, 'utf8')).toContain('Unused')
  })
})

describe('other models', () => {
  it('are asked outside the conversation: an expert, a planner', { tags: 'long' }, async () => {
    const run = await playRun(
      [
        { name: 'AskExpertModel', input: { question: 'Which?', context: 'a or b' } },
        { step: { turn: { say: 'b' } } },
        { name: 'Architect', input: { prompt: 'split the file' } },
        { step: { turn: { say: '1. cut' } } },
      ],
      {
        policy: `version: 1
permissions: { allow: [AskExpertModel, Architect] }
run: { expertModel: claude-fable-5-1 }
`,
        args: ['--tools', 'AskExpertModel,Architect'],
      },
    )
    const asked = [1, 3].map((index) => run.api.requests[index]?.body)
    expect(asked.map((body) => [body.model, body.tools])).toEqual([
      ['claude-fable-5-1', undefined],
      ['claude-sonnet-5-5', undefined],
    ])
    expect(JSON.stringify(asked[0].messages)).not.toContain('do it')
    expect(run.told).toEqual(['b', '1. cut'])
    expect(recordsOf(run, 'model_call')).toMatchObject([
      { purpose: 'ask_expert_model', answer: 'b' },
      { purpose: 'architect', answer: '1. cut' },
    ])
  })
})

describe('questions', () => {
  it('are answered from the policy, or with a note that nobody can answer', { tags: 'long' }, async () => {
    const ask = (question: string) => ({ question, header: 'x', options: [{ label: 'a' }, { label: 'b' }] })
    const run = await playRun(
      [{ name: 'AskUserQuestion', input: { questions: [ask('Which database?'), ask('Which colour?')] } }],
      {
        policy: 'version: 1\nrun: { answers: { "which database": Postgres } }\n',
        args: ['--tools', 'AskUserQuestion'],
      },
    )
    expect(run.told[0]).toMatch(/Which database\?\n→ Postgres\nWhich colour\?\n→ No answer: nobody is there/)
  })
})
