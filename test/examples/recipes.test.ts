import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CronJob, Job } from 'kubernetes-models/batch/v1'
import { ConfigMap } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { makeRepository } from '../helpers/github/actionRun.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { stubPrograms } from '../helpers/policy/stubPrograms.ts'
import { sampled } from '../helpers/sampled.ts'

const FILES = {
  'README.md': 'shop\n',
  '.kode/nightly.yml': 'version: 1\npermissions: { presets: [read-only] }\n',
  '.kode/nightly.md': 'Look around.\n',
  '.kode/review.yml': readFileSync('examples/policies/review-only.yml', 'utf8'),
}
const KEY_TEXT = 'sk-ant-test-0123456789abcdefghij'

/** A clone with an upstream, the stubs, and a replay that says so and ends. */
function prepare() {
  const origin = makeRepository(FILES)
  const folder = makeFolder()
  execFileSync('git', ['clone', '--quiet', '--no-local', origin.folder, join(folder, 'clone')])
  const replay = join(folder, 'replay.yml')
  writeFileSync(replay, '- { tool: Finish, input: { status: completed, summary: All well. } }\n')
  writeFileSync(join(folder, 'key'), KEY_TEXT, { mode: 0o600 })
  return { origin, folder, clone: join(folder, 'clone'), key: join(folder, 'key'), ...stubPrograms(replay) }
}

type Prepared = ReturnType<typeof prepare>
type Environment = Readonly<Record<string, string>>

async function shell(script: string, { path, folder }: Prepared, cwd: string, env: Environment = {}) {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${path}:${process.env['PATH']}`, HOME: folder, ...env },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, log }
}

/** In the clone, if nothing else is said. git does not see the records, so a command may say `git add --all`. */
async function passes(script: string, place: Prepared, env: Environment = {}, cwd = place.clone) {
  expect(await shell(script, place, cwd, env)).toMatchObject({ code: 0 })
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: place.clone, encoding: 'utf8' })).not.toContain(
    'kode-run/',
  )
}

describe('GitLab', () => {
  const file = parse(readFileSync('examples/gitlab/.gitlab-ci.yml', 'utf8'))
  const variables = {
    ...{ CI: 'true', CI_PIPELINE_SOURCE: 'merge_request_event' },
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  }

  it.each(sampled(['review', 'nightly'], 1, 1))(
    '%s runs, and leaves what it announces as artifacts',
    { tags: 'long' },
    async (job) => {
      const place = prepare()
      await passes([...file['.kode-run'].before_script, ...file[job].script].join('\n'), place, variables)
      const artifacts = [file[job].artifacts?.reports.codequality ?? [], file['.kode-run'].artifacts.paths].flat()
      for (const path of artifacts) expect(existsSync(join(place.clone, path))).toBe(true)
    },
  )

  it('reviews with the policy of the target branch, whatever the merge request contains', {
    tags: 'long',
  }, async () => {
    const place = prepare()
    writeFileSync(join(place.clone, '.kode/review.yml'), 'no policy at all\n')
    await passes(file.review.script.join('\n'), place, variables)
  })

  it('fails with the exit code of the run', { tags: 'long' }, async () => {
    const place = prepare()
    const script = file.review.script.join('\n').replaceAll('review.yml', 'missing.yml')
    expect((await shell(script, place, place.clone, variables)).code).toBe(78)
    expect(readFileSync(join(place.clone, 'kode-run/summary.md'), 'utf8')).toContain('did not start (`config`')
  })
})

describe('Jenkins', () => {
  const text = readFileSync('examples/jenkins/Jenkinsfile', 'utf8')

  it('runs its shell steps in order', { tags: 'long' }, async () => {
    const place = prepare()
    const scripts = [...text.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, script = '']) => script.replaceAll('\\\\', '\\'))
    expect(scripts).toHaveLength(2)
    await passes(scripts.join('\n'), place, { KEY_FILE: place.key })
    const junit = /junit testResults: '([^']+)'/.exec(text)?.[1] ?? ''
    expect(readFileSync(join(place.clone, junit), 'utf8')).toContain('<testsuite')
  })

  it('has balanced brackets and never shows the key', () => {
    for (const [open, close] of ['{}', '()', '[]'])
      expect(text.split(open ?? '').length).toBe(text.split(close ?? '').length)
    expect(text).not.toMatch(/ANTHROPIC_API_KEY|sk-ant/)
  })
})

it('Azure Pipelines runs its scripts in order', { tags: 'long' }, async () => {
  const place = prepare()
  const { jobs } = parse(readFileSync('examples/azure/azure-pipelines.yml', 'utf8'))
  const scripts = jobs[0].steps.flatMap((step: { script?: string }) => step.script ?? [])
  expect(scripts).toHaveLength(3)
  await passes(scripts.join('\n'), place, { ANTHROPIC_API_KEY: KEY_TEXT })
  expect(readdirSync(join(place.clone, 'kode-run'))).toEqual(
    expect.arrayContaining(['junit.xml', 'report.html', 'run.jsonl']),
  )
})

it('Buildkite runs its command and annotates', { tags: 'long' }, async () => {
  const place = prepare()
  const { steps } = parse(readFileSync('examples/buildkite/pipeline.yml', 'utf8'))
  // The agent turns `$$` into `$` when it uploads the pipeline.
  const script = steps[0].command.replaceAll('$$', '$')
  await passes(script, place, { NIGHTLY_KEY_FILE: place.key })
  expect(readFileSync(place.calls, 'utf8')).toContain('buildkite-agent annotate --context kode-run')
})

describe('cron and systemd', () => {
  const script = join(process.cwd(), 'examples/cron/kode-run-nightly')
  const nightOf = ({ origin, key, folder }: Prepared) => ({
    ...{ NIGHTLY_REPOSITORY: origin.folder, NIGHTLY_KEY_FILE: key, NIGHTLY_STATE: join(folder, 'state') },
  })

  it('clone, run, and keep a record of each night', { tags: 'long' }, async () => {
    const place = prepare()
    for (const night of [1, 2]) {
      await passes(script, place, nightOf(place), place.folder)
      const runs = readdirSync(join(place.folder, 'state/runs'))
      expect(runs).toHaveLength(night)
      expect(readdirSync(join(place.folder, 'state/runs', runs[0] ?? ''))).toEqual(
        expect.arrayContaining(['report.html', 'result.txt', 'run.jsonl', 'summary.md']),
      )
    }
    expect(statSync(join(place.folder, 'state/runs')).mode & 0o077).toBe(0)
  })

  it('leave the clone alone while another night still goes on', { tags: 'long' }, async () => {
    const place = prepare()
    await passes(script, place, nightOf(place), place.folder)
    const work = join(place.folder, 'state/clone/work')
    writeFileSync(work, '')
    const done = await shell(`flock "$NIGHTLY_STATE/lock" ${script}`, place, place.folder, nightOf(place))
    expect(done).toMatchObject({ code: 75, log: 'the run of the night before still goes on\n' })
    expect(existsSync(work)).toBe(true)
  })

  it('exit with the code of the run, and say where to look', { tags: 'long' }, async () => {
    const place = prepare()
    place.origin.git('rm', '-q', '.kode/nightly.yml')
    place.origin.git('commit', '-qm', 'away')
    const { NIGHTLY_STATE: _, ...environment } = nightOf(place)
    const done = await shell(script, place, place.folder, environment)
    expect(done.code).toBe(78)
    expect(done.log).toContain('kode-run ended with 78')
    expect(done.log).toContain('did not start (`config`, exit code 78)')
  })

  it('have a valid crontab', () => {
    const lines = readFileSync('examples/cron/crontab', 'utf8').split('\n')
    const jobs = lines.filter((line) => line !== '' && !/^#|^[A-Z_]+=/.test(line))
    for (const job of jobs) expect(job).toMatch(/^(?:[\d*,/-]+ ){5}\/\S+$/)
    expect(jobs).toHaveLength(1)
  })

  const hasVerify = existsSync('/usr/bin/systemd-analyze')
  it.skipIf(!hasVerify)('have units that systemd accepts (needs systemd-analyze)', () => {
    const folder = makeFolder()
    for (const name of ['kode-run-nightly.service', 'kode-run-nightly.timer']) {
      const text = readFileSync(join('examples/cron', name), 'utf8')
      writeFileSync(join(folder, name), text.replace('/usr/local/bin/kode-run-nightly', '/bin/true'))
    }
    const verify = `systemd-analyze verify --man=no ${folder}/*.service ${folder}/*.timer 2>&1 || true`
    const said = execFileSync('bash', ['-c', verify], { encoding: 'utf8' })
    expect(said.split('\n').filter((line) => line.includes(folder))).toEqual([])
  })
})

type Named = readonly { readonly name: string }[]
type Container = {
  readonly command: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Named
  readonly securityContext: object
  readonly volumeMounts: Named
}

describe('Kubernetes', () => {
  const read = (name: string) =>
    parseAllDocuments(readFileSync(`examples/kubernetes/${name}.yml`, 'utf8')).map((document) => document.toJS())
  const [cron] = read('cronjob')
  const [config, job] = read('indexed-job')
  const [merge] = read('merge-job')
  const pods = [cron.spec.jobTemplate.spec.template.spec, ...[job, merge].map(({ spec }) => spec.template.spec)]

  it('has manifests that match their schema', () => {
    new CronJob(cron).validate()
    for (const each of [job, merge]) new Job(each).validate()
    new ConfigMap(config).validate()
    expect(() => new Job({ ...job, spec: { ...job.spec, completions: 'three' } }).validate()).toThrow()
  })

  it('complies with the restricted profile', () => {
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect([pod.automountServiceAccountToken, pod.restartPolicy]).toEqual([false, 'Never'])
      const volumes = (pod.volumes as Named).map(({ name }) => name)
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])] as readonly Container[]) {
        expect(container.securityContext).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        })
        for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
        expect(container.env?.map(({ name }) => name) ?? []).not.toContain('ANTHROPIC_API_KEY')
      }
    }
  })

  it('runs the command of the CronJob', { tags: 'long' }, async () => {
    const place = prepare()
    mkdirSync(join(place.folder, 'records'))
    const { command, args = [] }: Container = pods[0].containers[0]
    const words = [...command, ...args].map((word) =>
      word
        .replaceAll('=/workspace', `=${place.clone}`)
        .replace('=/records', `=${place.folder}/records`)
        .replace('=/run/kode-run/key', `=${place.key}`),
    )
    await passes(words.map((word) => `'${word}'`).join(' '), place, {}, place.folder)
    expect(readFileSync(join(place.folder, 'records/summary.md'), 'utf8')).toContain('Completed')
  })

  it.each(sampled([2, 0], 0, 1))('gives the pod with index %i its own repository', async (index) => {
    const place = prepare()
    const fleet = makeFolder()
    for (const [name, text] of Object.entries<string>(config.data)) {
      writeFileSync(join(fleet, name), text.replaceAll(/https:\S+\.git/g, place.origin.folder))
    }
    const folders = { FLEET: fleet, WORK: place.folder, RECORDS: place.folder }
    const run = () =>
      passes(`sh ${fleet}/run.sh`, place, { ...folders, KEY_FILE: place.key, JOB_COMPLETION_INDEX: `${index}` }, fleet)
    await run()
    const record = readFileSync(join(place.folder, `${index}.jsonl`), 'utf8')
    expect(record).toContain('All well.')
    rmSync(join(place.folder, 'repository'), { recursive: true })
    await run()
    expect(readFileSync(join(place.folder, `${index}.jsonl`), 'utf8')).toBe(record)
  })
})

describe('the image', () => {
  const lines = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ').split('\n')

  it('copies only existing files that are not ignored', () => {
    const ignored = readFileSync('.dockerignore', 'utf8')
    for (const line of lines.filter((text) => text.startsWith('COPY ') && !text.includes('--from'))) {
      const paths = line.split(' ').slice(1, -1)
      for (const path of paths.filter((word) => !word.includes('*'))) {
        expect(existsSync(path)).toBe(true)
        expect(ignored).toContain(`!${path}`)
      }
    }
  })

  it('runs as an unprivileged user, with the command of the package', () => {
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
    expect(lines.filter((line) => line.startsWith('FROM ')).every((line) => /node:24-bookworm/.test(line))).toBe(true)
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(lines.join('\n')).toContain(`/opt/kode-run/${bin['kode-run']}`)
    expect(lines).toContain('ENTRYPOINT ["kode-run"]')
  })
})

describe('the index of examples', () => {
  const index = readFileSync('examples/README.md', 'utf8')

  it('names every file, hidden ones too', () => {
    const files = readdirSync('examples', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'README.md')
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice('examples/'.length))
    for (const file of files)
      expect(index.includes(`(${file})`) || index.includes(`(${file.split('/')[0]})`)).toBe(true)
    expect(index).toContain('(gitlab/.gitlab-ci.yml)')
  })

  it('has workflows that name each file that their policy extends', () => {
    for (const name of readdirSync('examples/workflows')) {
      const text = readFileSync(`examples/workflows/${name}`, 'utf8')
      for (const [, listed = ''] of text.matchAll(/# examples\/policies\/(.+)/g)) {
        const named = listed.split(/, | and /)
        for (const policy of named) {
          const { extends: bases = [] } = parse(readFileSync(`examples/policies/${policy}`, 'utf8'))
          for (const base of [bases].flat())
            expect([name, named]).toEqual([name, expect.arrayContaining([base.slice(2)])])
        }
      }
    }
  })
})
