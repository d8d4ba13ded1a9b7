import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { CommandRequest } from '../contracts/commands.ts'
import { realPath } from '../lib/fs/atPath.ts'
import { orElse } from '../lib/orElse.ts'
import { signalGroup } from '../lib/process/endProcessGroup.ts'
import { launchChild } from '../lib/process/launchChild.ts'
import type { BoxedInvocation, Invocation } from './createCommandAccess.ts'
import type { CheckoutMode } from './views/checkoutMode.ts'

/** A sandbox that waits for its command, because it was started while there was time. It takes one command. */
export type WaitingSandbox = Readonly<NonNullable<ReturnType<typeof startWaiting>>>

export type WaitingOptions = {
  /** The working folder and the variables of the later command. */
  readonly like: Pick<CommandRequest, 'cwd' | 'env'>
  /** All its variables. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly checkout: CheckoutMode
  readonly wrap: (command: Invocation, cwd: string, checkout: CheckoutMode) => BoxedInvocation
}

/** A shell that becomes the command: it reads one line from its stdin. */
const WAITER: Invocation = { file: 'sh', args: [] }

/** Longer lines start as usual, so that the system reports its limits. */
const FITTING_LINE = /^[^\0]{0,30000}$/

/** Not those that make shells load files, nor their own, whose values they refuse or replace. */
const PASSING_NAME = /^(?!LD_|BASH|(?:IFS|OPTIND|PPID|E?UID|SHELLOPTS|POSIXLY_CORRECT)$)[A-Za-z_]\w*$/

/**
 * Starts a sandbox that waits for its command. Undefined if a shell would not pass the environment on unchanged, or if
 * the environment makes the shell load files that may be in the checkout.
 */
export function startWaiting(terms: WaitingOptions) {
  const { like, environment, signal, checkout, wrap } = terms
  if (!Object.keys(environment).every((name) => PASSING_NAME.test(name))) return undefined
  const { cwd, env } = like
  const box = wrap(WAITER, cwd, checkout)
  const made = placesOf(box, cwd)
  const launched = launchChild({ ...box, cwd, env: environment, signal, input: { isPipe: true } })
  let isOver = false
  const over = () => {
    isOver = true
  }
  void launched.then((child) => child?.exit).then(over, over)
  return {
    ...box,
    /**
     * True if a new sandbox for this request, in this mode of the checkout, would be the same. The signal of the request
     * does not matter, because an ended request serves as the template of the next one.
     */
    fits: (request: CommandRequest, now: CheckoutMode) =>
      !isOver &&
      request.input === undefined &&
      FITTING_LINE.test(lineFor(request)) &&
      request.cwd === cwd &&
      isDeepStrictEqual(request.env, env) &&
      placesOf(wrap(WAITER, cwd, now), cwd) === made,
    /** Starts the command of a request that fits; none if that was aborted meanwhile: whoever follows the child ends it. */
    async give(request: CommandRequest) {
      const child = await launched
      if (request.signal.aborted) return child
      // It may have died meanwhile: then it has an exit code.
      child?.stdin?.on('error', () => undefined).end(lineFor(request))
      return child
    },
    /** Ends a sandbox that got no command. Settles when nothing of it is alive. */
    async end() {
      const child = await launched.catch(() => undefined)
      if (child === undefined) return
      signalGroup(child.pid, 'SIGKILL')
      await child.exit
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
      child.forget()
      await box.ended()
    },
  }
}

/** In braces, so that nothing of an incomplete line runs. */
function lineFor({ file, args, isJoined }: CommandRequest): string {
  const words = [file, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  return `{ exec ${words.join(' ')} </dev/null${isJoined === true ? ' 2>&1' : ''}; }\n`
}

/**
 * What a sandbox looks up at its start: its arguments, and the identity of each path in them. The kernel reads the rest
 * of a view only when the command does, so later changes elsewhere in the checkout are visible.
 */
function placesOf({ file, args, written = [] }: Omit<BoxedInvocation, 'ended'>, cwd: string): string {
  const paths = new Set<string>()
  for (const arg of [cwd, realPath(cwd), ...args]) {
    for (let path = arg; path.startsWith('/') && !paths.has(path); path = dirname(path)) paths.add(path)
  }
  return JSON.stringify([file, args, [...paths].map((path) => identityOf(path, written))])
}

/**
 * A file that replaced another one may reuse its inode, but has another time of birth. A file that was unlinked and
 * linked again has the same of both, but lost its mount, so the time of its last change counts too. It does not count
 * for folders and the run's own records, which change all the time.
 */
function identityOf(path: string, written: readonly string[]): readonly number[] {
  return orElse([], () => {
    const stat = lstatSync(path)
    const { dev, ino, birthtimeMs, ctimeMs, mode, uid, gid } = stat
    return [dev, ino, birthtimeMs, mode, uid, gid, stat.isDirectory() || written.includes(path) ? 0 : ctimeMs]
  })
}
