import { filesMutants } from './explained/filesMutants.ts'
import { libMutants } from './explained/libMutants.ts'
import { policyMutants } from './explained/policyMutants.ts'
import { runMutants } from './explained/runMutants.ts'
import { sandboxMutants } from './explained/sandboxMutants.ts'

/** Mutants that no test can notice, or that no promise forbids, in the words of `npm run mutate`, with the reason. */
export type Explained = { readonly file: string; readonly why: string; readonly mutants: readonly string[] }

export const explained: readonly Explained[] = [
  ...filesMutants,
  ...libMutants,
  ...policyMutants,
  ...runMutants,
  ...sandboxMutants,
  {
    file: 'src/permissions.ts',
    why: 'The last line of hasPermissionsToUseTool makes a deny of everything that is not an allow.',
    mutants: [
      `if (before?.decision === 'deny') return byHook(ruled, 'deny', 'PreToolUse', before) | 'deny' => ""`,
      `if (own.behavior === 'deny') return { ...ruled, ...ofTool(tool, own.message), behavior: 'd… | 'deny' => ""`,
      `if (options.isAudit !== true || !isAbsence(ask) || !call.subjects.every(isHeld)) return { … | 'deny' => ""`,
      `behavior: 'deny', | 'deny' => ""`,
      `return { ...ruled, behavior: 'deny', reason: { type: 'mode', mode: 'plan' }, message } | 'deny' => ""`,
    ],
  },
  {
    file: 'src/permissions.ts',
    why: 'There is a part for every subject: the question mark is for the compiler.',
    mutants: [
      "(subject, index) => ruled.parts[index]?.behavior === 'allow' || options.isPlainEdit(subjec… | ruled.parts[index]?.behavior => ruled.parts[index].behavior",
    ],
  },
  {
    file: 'src/model/classifyError.ts',
    why: 'No number and no date either way.',
    mutants: [
      `const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '') | '' => "Stryker was here!"`,
      `const text = headers.get('retry-after') ?? '' | '' => "Stryker was here!"`,
      `const date = Date.parse(headers.get('date') ?? '') | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/model/retry.ts',
    why: 'After the message nobody asks for the count of blocks.',
    mutants: ["if (event.type === 'block') part.blocks += 1 | event.type === 'block' => true"],
  },
  {
    file: 'src/model/retry.ts',
    why: 'The scale is 1 in every run, and 0 in tests, which wait for nothing either way.',
    mutants: [
      'await sleep(delayMs * policy.waitScale, undefined, { signal }).catch(() => signal.throwIfA… | delayMs * policy.waitScale => delayMs / policy.waitScale',
    ],
  },
  {
    file: 'src/report/transcript/pairing.ts',
    why: 'Only a system record has one of these subtypes.',
    mutants: [`if (record.type === 'system') addSystem(record) | record.type === 'system' => true`],
  },
  {
    file: 'src/report/transcript/readTranscript.ts',
    why: 'What is not set counts as not seen.',
    mutants: [
      `const seen: Seen = { run: null, hasCarriageReturn: false } | { run: null, hasCarriageReturn: false } => {}`,
    ],
  },
  {
    file: 'src/report/transcript/readTranscript.ts',
    why: 'A record has no severity.',
    mutants: [`if (item.kind === 'damage' && item.severity === 'tail') held = item | item.kind === 'damage' => true`],
  },
  {
    file: 'src/report/transcript/readTranscript.ts',
    why: 'A number or a text has none of the fields that are asked for next.',
    mutants: [`if (typeof value !== 'object' || value === null) return false | typeof value !== 'object' => false`],
  },
  {
    file: 'src/report/transcript/transcript.ts',
    why: 'Only a system event has one of these subtypes.',
    mutants: [`if (event.type !== 'system') return false | event.type !== 'system' => false`],
  },
  {
    file: 'src/report/transcript/verifyTranscript.ts',
    why: 'Only a user record has outcomes, and a text has no `blob`.',
    mutants: [
      `const outcomes = record.type === 'user' ? (record.tool_use_result ?? []) : [] | record.type === 'user' => true`,
      `const outcomes = record.type === 'user' ? (record.tool_use_result ?? []) : [] | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/report/transcript/verifyTranscript.ts',
    why: '`.*` takes all there is up to the last slash either way.',
    mutants: [
      `...outcomes.flatMap(({ blob }) => (blob === undefined ? [] : [blob.replace(/^.*\\//, '')]))… | /^.*\\// => /.*\\//`,
    ],
  },
  {
    file: 'src/report/transcript/writer.ts',
    why: 'Nothing is greater than `undefined`.',
    mutants: [
      `if (maxWaiting !== undefined && stream.writableLength > maxWaiting) { | maxWaiting !== undefined => true`,
    ],
  },
  {
    file: 'src/report/transcript/writer.ts',
    why: 'A stream that fails is closed too, and stdout, which is not, calls back.',
    mutants: [`stream.on('close', done).on('error', done).write('', done) | 'error' => ""`],
  },
  {
    file: 'src/effects/judge/linkTarget.ts',
    why: 'The loop runs only while a name is left.',
    mutants: [`const [name = '', ...rest] = waiting | '' => "Stryker was here!"`],
  },
  {
    file: 'src/effects/judge/linkTarget.ts',
    why: '`join` takes `..` as `dirname` does, and the parent of a path that was followed is no link.',
    mutants: [
      `const next = name === '..' ? dirname(at) : join(at, name) | name === '..' => false`,
      `const next = name === '..' ? dirname(at) : join(at, name) | '..' => ""`,
      `const further = name === '..' ? undefined : linkAt(next) | name === '..' => false`,
      `const further = name === '..' ? undefined : linkAt(next) | '..' => ""`,
    ],
  },
  {
    file: 'src/effects/judge/linkTarget.ts',
    why: '`join` and `resolve` leave out empty names and dots too.',
    mutants: [
      `return target.split('/').filter((name) => name !== '' && name !== '.') | target.split('/').filter((name) => name !== '' && name !== '.') => target.split('/')`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | name !== '' && name !== '.' => true`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | name !== '' && name !== '.' => name !== '' || name !== '.'`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | name !== '' => true`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | '' => "Stryker was here!"`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | name !== '.' => true`,
      `return target.split('/').filter((name) => name !== '' && name !== '.') | '.' => ""`,
    ],
  },
  {
    file: 'src/effects/view/runSteps.ts',
    why: 'Only what is open or in conflict is asked for.',
    mutants: [
      `return there?.isDirectory() ? 'done' : there === undefined ? 'open' : 'conflict' | 'done' => ""`,
      `if (there === undefined) return 'done' | 'done' => ""`,
      `return isMadeLater ? 'done' : 'conflict' | 'done' => ""`,
      `if (from === undefined) return there === undefined ? 'conflict' : 'done' | 'done' => ""`,
      `return isCopied ? 'done' : 'conflict' | 'done' => ""`,
    ],
  },
  {
    file: 'src/effects/view/runSteps.ts',
    why: 'What is removed was there before.',
    mutants: [
      "const isFree = step.kind === 'folder' || (step.kind !== 'remove' && step.before === null) | step.kind !== 'remove' => true",
      `const isFree = step.kind === 'folder' || (step.kind !== 'remove' && step.before === null) | 'remove' => ""`,
    ],
  },
  {
    file: 'src/effects/view/runSteps.ts',
    why: 'Nothing is there either way.',
    mutants: ['} catch { | { return undefined } => {}'],
  },
  {
    file: 'src/query/createRepeatWatch.ts',
    why: 'Only a hash of 64 figures is compared with it.',
    mutants: [
      `let last = { calls: '', results: '', times: 0, equalTimes: 0 } | { calls: '', results: '', times: 0, equalTimes: 0 } => {}`,
      `let last = { calls: '', results: '', times: 0, equalTimes: 0 } | '' => "Stryker was here!"`,
      `last = { calls: '', results: '', times: 0, equalTimes: 0 } | { calls: '', results: '', times: 0, equalTimes: 0 } => {}`,
      `last = { calls: '', results: '', times: 0, equalTimes: 0 } | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/query/shorten.ts',
    why: 'The only caller with this trigger does not look at the answer.',
    mutants: [`if (trigger === 'auto') return false | false => true`],
  },
  {
    file: 'src/effects/watch/openBackups.ts',
    why: 'A pause for other work changes nothing, and nobody has a file of just this size.',
    mutants: [
      'if (left-- > 0) continue | left-- > 0 => false',
      `else if (kind === 'file' && size <= MAX_BYTES) copyFileSync(diskPath(path), copy, constant… | size <= MAX_BYTES => size < MAX_BYTES`,
    ],
  },
  {
    file: 'src/effects/watch/gitContents.ts',
    why: 'A part without files is asked for nothing.',
    mutants: ['if (from < files.length) yield files.slice(from) | from < files.length => from <= files.length'],
  },
]
