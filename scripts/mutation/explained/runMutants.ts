import type { Explained } from '../explained.ts'

/** Of `src/run`, and of what starts it. */
export const runMutants: readonly Explained[] = [
  {
    file: 'src/run/record/initEvent.ts',
    why: 'A function without a return gives `undefined` too.',
    mutants: [`} catch { | { return undefined } => {}`],
  },
  {
    file: 'src/run/record/openOutputs.ts',
    why: 'A text has no kind, so it is counted nowhere.',
    mutants: [`const taken: ProposedOutput[] = [] | [] => ["Stryker was here"]`],
  },
  {
    file: 'src/run/resume/pairCalls.ts',
    why: 'A text is no result, and only a result has the id of a call.',
    mutants: [
      `if (asked.length > 0) messages.push({ role: 'user', content: resultsFor(asked, []) }) | [] => ["Stryker was here"]`,
      `content.find((block) => block.type === 'tool_result' && block.tool_use_id === id) ?? { | block.type === 'tool_result' => true`,
    ],
  },
  {
    file: 'src/run/resume/pairCalls.ts',
    why: 'Only thinking has these two texts.',
    mutants: [
      "return block.type !== 'thinking' || !hasRedactionMark(`${block.thinking} ${block.signature… | block.type !== 'thinking' => false",
    ],
  },
  {
    file: 'src/run/resume/acquireLock.ts',
    why: 'The file is there, unless another process takes it away between two calls of the system.',
    mutants: [
      'rmSync(temporary, { force: true }) | { force: true } => {}',
      'rmSync(temporary, { force: true }) | true => false',
      'if (/^\\d+$/.test(name) && Number(name) < number) rmSync(join(folder, name), { force: true … | { force: true } => {}',
      'if (/^\\d+$/.test(name) && Number(name) < number) rmSync(join(folder, name), { force: true … | true => false',
    ],
  },
  {
    file: 'src/run/resume/acquireLock.ts',
    why: 'No age is greater than `undefined`, and the moment itself counts for nothing.',
    mutants: [
      `if (life === 'unknown' && staleMs !== undefined && age >= staleMs) return | staleMs !== undefined => true`,
      `if (life === 'unknown' && staleMs !== undefined && age >= staleMs) return | age >= staleMs => age > staleMs`,
    ],
  },
  {
    file: 'src/run/startSession.ts',
    why: 'Without a server, to load the module only takes time; what fails to close is passed over.',
    mutants: [
      `const hasServers = Object.keys(extensions.servers.servers).length > 0 | Object.keys(extensions.servers.servers).length > 0 => true`,
      `const hasServers = Object.keys(extensions.servers.servers).length > 0 | Object.keys(extensions.servers.servers).length > 0 => Object.keys(extensions.servers.servers).length >= 0`,
      `const servers = closers.add(await openServers?.(starting, extensions.servers), (opened) =>… | opened?.close => opened.close`,
    ],
  },
  {
    file: 'src/run/hooksOf.ts',
    why: 'A field that is undefined is read like one that is missing.',
    mutants: [
      `...(timeout === undefined ? {} : { timeout }), | timeout === undefined => false`,
      `...(onError === undefined ? {} : { onError }), | onError === undefined => false`,
    ],
  },
  {
    file: 'src/run/start/createClosers.ts',
    why: 'What is a text and no entry fails to close, and that is passed over.',
    mutants: [
      `const stack: { readonly opened: unknown; readonly close: () => unknown }[] = [] | [] => ["Stryker was here"]`,
    ],
  },
  {
    file: 'src/entry/control/openControl.ts',
    why: 'The listener is removed with the answer, and an aborted question has one.',
    mutants: [`signal?.addEventListener('abort', cancel, { once: true }) | true => false`],
  },
  {
    file: 'src/entry/control/runControlled.ts',
    why: 'After the last message no channel is left to close.',
    mutants: [`} finally { | { request.signal.removeEventListener('abort', stop) } => {}`],
  },
  {
    file: 'src/run/resume/finishedBefore.ts',
    why: 'Only a system record has this subtype.',
    mutants: [
      `if (record.type === 'system' && record.subtype === 'init') init ??= record | record.type === 'system' => true`,
    ],
  },
  {
    file: 'src/run/start/openHooks.ts',
    why: 'Nobody else knows this conversation, so nobody asks whether it is busy.',
    mutants: [`...{ messages: [], memory, spent: {}, isBusy: true }, | true => false`],
  },
  {
    file: 'src/run/start/openFiles.ts',
    why: 'The path of a folder of the run is absolute.',
    mutants: [`const folder = resolvePath(path, '/', home).resolved | '/' => ""`],
  },
  {
    file: 'src/entry/openEventReaders.ts',
    why: 'Only the two others are asked for; where readers are closed, there is a last record.',
    mutants: [
      `verbosity: config.quiet ? 'quiet' : config.verbose ? 'verbose' : 'normal', | 'normal' => ""`,
      `await lastMessage?.replace(report.result?.result ?? '') | report.result?.result => report.result.result`,
    ],
  },
  {
    file: 'src/run/run.ts',
    why: 'A signal aborts once.',
    mutants: [`else signal.addEventListener('abort', forward, { once: true }) | true => false`],
  },
  {
    file: 'src/run/start/openRedactor.ts',
    why: 'This text has no secret either.',
    mutants: [`const text = readRegular(path, MAX_BYTES)?.toString('utf8') ?? '' | '' => "Stryker was here!"`],
  },
]
