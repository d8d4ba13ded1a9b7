import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** The rest of the test gets these calls from `node:fs`, or from another part of it, whoever imported them before. */
export function stubCalls(calls: Readonly<Record<string, (...args: never) => unknown>>, of: object = fs): void {
  const real = Object.fromEntries(Object.keys(calls).map((name) => [name, Reflect.get(of, name)]))
  const put = (some: object): void => {
    Object.assign(of, some)
    syncBuiltinESMExports()
  }
  put(calls)
  onTestFinished(() => put(real))
}
