import type { HookSettings, HookTable } from '../../../src/contracts/settings.ts'
import { stubHook } from '../tools/testHooks.ts'
import type { CliRun } from './cliRun.ts'

type Permissions = Readonly<Record<string, unknown>>

/** A policy that reads, with these hooks. */
export function policyOf(
  hooks: HookTable,
  permissions: Permissions = {},
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ version: 1, permissions: { presets: ['read-only'], ...permissions }, hooks, ...more })
}

/** One hook for one event. */
export function on(event: keyof HookTable, hook: HookSettings, matcher?: string): HookTable {
  return { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] }
}

export const says = (answer: unknown, more = {}) => stubHook('print', JSON.stringify(answer), more)
export const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})

export function eventsOf<Name extends string>(run: CliRun, subtype: Name) {
  return run.records.filter(
    (record): record is Extract<CliRun['records'][number], { subtype: Name }> =>
      'subtype' in record && record.subtype === subtype,
  )
}

export const outcomesOf = (run: CliRun) => eventsOf(run, 'hook').map(({ event, outcome }) => `${event} ${outcome}`)
