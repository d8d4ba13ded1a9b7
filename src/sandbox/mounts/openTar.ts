import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { relative } from 'node:path'

/** A header of tar(5): blocks of this size, a size in octal, and a type. */
const BLOCK = 512
const OPAQUE = /SCHILY\.xattr\.user\.overlay\.opaque=y/

/** The folder itself: it follows the entries of each request. Twice, because tar holds back its last block. */
const END = '.\0.\0'

/** A `tar` that lists extended attributes, which Node cannot read; one for all requests, as its start costs more. */
export type OpenTar = ReturnType<typeof openTar>

/** The process ends with this one, and does not keep it alive. If it dies, the next request starts another. */
export function openTar(program: string, folder: string) {
  let running: RunningTar | undefined
  const start = () => {
    running ??= startTar(program, folder, () => {
      running = undefined
    })
    return running
  }
  return {
    program,
    /** Starts the process ahead of the first request. */
    start: () => void start(),
    /** For each entry of the folder, in order, whether the kernel marked it as opaque. Paths are absolute. */
    areOpaque: (paths: readonly string[]) => start().ask(paths.map((path) => `./${relative(folder, path)}`)),
    close: () => running?.kill(),
  }
}

/** A `tar` that answers only at the end of its input never answers. */
const ANSWER_MS = 10_000

/** True if this `tar` lists the extended attributes of an entry of its folder before its input ends. If so, it stays. */
export async function canListAttributes(tar: OpenTar, entry: string): Promise<boolean> {
  const timer = setTimeout(tar.close, ANSWER_MS)
  try {
    return (await tar.areOpaque([entry])).length === 1
  } catch {
    tar.close()
    return false
  } finally {
    clearTimeout(timer)
  }
}

type Question = { readonly resolve: (marks: readonly boolean[]) => void; readonly reject: (error: Error) => void }
type RunningTar = { ask(names: readonly string[]): Promise<readonly boolean[]>; kill(): void }

function startTar(program: string, folder: string, onEnd: () => void): RunningTar {
  // Records of one block: tar writes each entry as soon as it has read its name.
  const what = ['--xattrs', '--xattrs-include=user.overlay.*', '--no-recursion', '-b', '1']
  const args = [...what, '-cf', '-', '-C', folder, '--null', '-T', '-']
  const child = spawn(program, args, { cwd: '/', env: { LC_ALL: 'C' }, stdio: ['pipe', 'pipe', 'pipe'] })
  const questions: Question[] = []
  const hold = holdHandles(child)
  const settle = () => {
    const question = questions.shift()
    if (questions.length === 0) hold.release()
    return question
  }
  const read = readMarks((marks) => settle()?.resolve(marks))
  let errors = ''
  let hasEnded = false
  const end = (error?: Error) => {
    if (!hasEnded) onEnd()
    hasEnded = true
    for (let left = questions.length; left > 0; left--) {
      settle()?.reject(error ?? new Error(`${program} ended: ${errors.trim()}`))
    }
  }
  child.stdout.on('data', read)
  child.stderr.on('data', (chunk) => (errors = `${errors}${String(chunk)}`.slice(-1000)))
  child.once('error', end).once('close', () => end())
  child.stdin.on('error', () => undefined)
  hold.release()
  return {
    ask: (names) =>
      new Promise((resolve, reject) => {
        hold.take()
        questions.push({ resolve, reject })
        child.stdin.write(`${names.map((name) => `${name}\0`).join('')}${END}`)
      }),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Whether a child and its streams keep this process alive. */
function holdHandles(child: ChildProcessWithoutNullStreams) {
  const streams = [child.stdin, child.stdout, child.stderr]
  const handles = [child, ...streams.flatMap((stream) => (stream instanceof Socket ? [stream] : []))]
  return {
    take: () => handles.forEach((handle) => void handle.ref()),
    release: () => handles.forEach((handle) => void handle.unref()),
  }
}

/** Reads an archive as it arrives. `onAnswer` gets the marks of the entries before each first end of a request. */
function readMarks(onAnswer: (marks: readonly boolean[]) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let marks: boolean[] = []
  let isOpaque = false
  let ends = 0
  const entry = (header: Buffer) => {
    if (/^\.\/?\0/.test(header.toString('latin1', 0, 3))) {
      if (ends++ % 2 === 0) onAnswer(marks)
      marks = []
    } else marks.push(isOpaque)
    isOpaque = false
  }
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= BLOCK && rest[0] !== 0) {
      const size = Number.parseInt(rest.toString('latin1', 124, 136), 8) || 0
      const length = BLOCK + Math.ceil(size / BLOCK) * BLOCK
      if (rest.length < length) return
      const type = String.fromCharCode(rest[156] ?? 0)
      if (type === 'x') isOpaque = OPAQUE.test(rest.toString('latin1', BLOCK, BLOCK + size))
      else if (type !== 'g' && type !== 'L') entry(rest)
      rest = rest.subarray(length)
    }
  }
}
