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
    mutants: [
      `return event.type === 'system' && event.subtype === 'tool_progress' | event.type === 'system' => true`,
      `if (event.type !== 'system') return false | event.type !== 'system' => false`,
    ],
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
    file: 'src/effects/judge/decideChanges.ts',
    why: 'Only changes that are refused come here.',
    mutants: [
      `return refused === undefined ? [] : [refused] | [] => ["Stryker was here"]`,
      `return refused === undefined ? [] : [refused] | refused === undefined => false`,
    ],
  },
  {
    file: 'src/effects/judge/decideChanges.ts',
    why: 'Where it counts, other refused changes are undone already.',
    mutants: [`return kind === 'refused' && change.kind === 'created' | change.kind === 'created' => true`],
  },
  {
    file: 'src/effects/judge/decideChanges.ts',
    why: 'A file with one name is never asked for.',
    mutants: [
      `for (const { stat } of now.values()) if (stat.nlink > 1n) counts.set(stat.ino, (counts.get… | stat.nlink > 1n => true`,
      `for (const { stat } of now.values()) if (stat.nlink > 1n) counts.set(stat.ino, (counts.get… | stat.nlink > 1n => stat.nlink >= 1n`,
    ],
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
    file: 'src/effects/judge/ignoreLookup.ts',
    why: 'A text without a rule ignores nothing.',
    mutants: [
      ".filter((text) => text.trim() !== '') | text.trim() !== '' => true",
      ".filter((text) => text.trim() !== '') | text.trim() => text",
      `.filter((text) => text.trim() !== '') | '' => "Stryker was here!"`,
    ],
  },
  {
    file: 'src/effects/judge/ignoreLookup.ts',
    why: 'To remember a folder only saves looking it up again.',
    mutants: ['if (found.has(path)) return found.get(path) | found.has(path) => false'],
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
    file: 'src/effects/view/runSteps.ts',
    why: 'To hold a folder only saves opening it again.',
    mutants: ['if (held?.path === path) return held | held?.path === path => false'],
  },
  {
    file: 'src/effects/view/applyView.ts',
    why: 'Only a refused verdict has a reason; one that is never kept has undone the command before.',
    mutants: [
      "return verdict.kind === 'never' || (verdict.kind === 'refused' && change.kind !== 'created… | verdict.kind === 'refused' => true",
      "const own = entry.changes.flatMap((change) => refusal(change, verdictOf(change), (_, { kin… | kind === 'refused' => true",
    ],
  },
  {
    file: 'src/effects/git/isRefreshedIndex.ts',
    why: 'What cannot be read cannot be parsed.',
    mutants: [
      'if (before === undefined || now === undefined) return false | before === undefined || now === undefined => false',
      'if (before === undefined || now === undefined) return false | before === undefined || now === undefined => before === undefined && now === undefined',
      'if (before === undefined || now === undefined) return false | before === undefined => false',
      'if (before === undefined || now === undefined) return false | now === undefined => false',
    ],
  },
  {
    file: 'src/git/repository/trackedFiles.ts',
    why: 'No path of an index starts with a slash.',
    mutants: ['at > 0 && !folders.has(path.slice(0, at)); | at > 0 => at >= 0'],
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
]
