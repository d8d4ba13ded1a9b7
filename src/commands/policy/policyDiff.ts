import type { PermissionMode } from '../../contracts/decision.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import type { Policy } from '../../policy/Policy.ts'
import { compareSettings, type SettingChange } from '../../policy/suggest/compareSettings.ts'
import { sampleCalls } from '../../policy/suggest/sampleCalls.ts'
import { callLabel } from '../../report/callLabel.ts'
import { codeSpan } from '../../report/markdown/markdownText.ts'
import { oneLine } from '../../report/words.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { createDecider } from './createDecider.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'

type Difference = {
  /** Rules that only one of them has, as `list rule`. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Example calls that only one of them allows. */
  readonly wider: readonly string[]
  readonly narrower: readonly string[]
  readonly settings: readonly SettingChange[]
}

/**
 * `kode-run policy diff OLD NEW`: shows what only one of them allows, by example calls made from the rules of both.
 * With `--no-wider` it exits with 1 if NEW allows more.
 */
export async function policyDiff(io: ProcessIo, { flags, positionals }: CommandLine): Promise<number> {
  const [before = '', after = ''] = positionals
  const old = await loadCommandPolicy(io, flags, before)
  const next = await loadCommandPolicy(io, flags, after)
  const difference = await compare(old, next)
  io.print(flags['json'] === true ? `${JSON.stringify(difference)}\n` : render(difference))
  return flags['no-wider'] === true && isWider(difference) ? 1 : 0
}

function isWider({ wider, settings }: Difference): boolean {
  return wider.length > 0 || settings.some((setting) => setting.isWider)
}

async function compare(old: Policy, next: Policy): Promise<Difference> {
  const modeOf = ({ settings }: Policy): PermissionMode => settings.defaultMode
  const [before, after] = [createDecider(old, modeOf(old)), createDecider(next, modeOf(next))]
  const wider: string[] = []
  const narrower: string[] = []
  for (const call of sampleCalls([old, next])) {
    const [was, is] = [(await before(call)).decision, (await after(call)).decision]
    if (was !== is) (is === 'allow' ? wider : narrower).push(callLabel(call.tool, call.input))
  }
  const [oldRules, nextRules] = [rulesOf(old), rulesOf(next)]
  return {
    added: nextRules.filter((rule) => !oldRules.includes(rule)),
    removed: oldRules.filter((rule) => !nextRules.includes(rule)),
    wider,
    narrower,
    settings: compareSettings(old.settings, next.settings),
  }
}

function rulesOf({ rules }: Policy): readonly string[] {
  return [...new Set(rules.map(({ list, text }) => `${list} ${text}`))]
}

const MOST = 20

/** Markdown that also reads well in a terminal. */
function render(difference: Difference): string {
  const { added, removed, wider, narrower, settings } = difference
  if ([added, removed, wider, narrower, settings].every((list) => list.length === 0))
    return 'The policies mean the same.\n'
  const isSame = wider.length + narrower.length === 0
  return [
    isWider(difference) ? '**The new policy allows more.**\n' : '**The new policy allows no more than the old one.**\n',
    section('It allows, and the old one did not', wider.map(quoted)),
    section('It no longer allows', narrower.map(quoted)),
    section(
      'Settings',
      settings.map(
        ({ key, was, is, isWider: opens }) =>
          `${codeSpan(key)}: ${quoted(was)} → ${quoted(is)}${opens ? ' **(allows more)**' : ''}`,
      ),
    ),
    section(isSame ? 'Rules, without effect on any example' : 'Rules', [
      ...added.map((rule) => `+ ${quoted(rule)}`),
      ...removed.map((rule) => `− ${quoted(rule)}`),
    ]),
  ].join('')
}

function quoted(text: string): string {
  return codeSpan(oneLine(text, 200))
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const more = lines.length > MOST ? `- and ${lines.length - MOST} more\n` : ''
  return `\n${title}:\n\n${lines
    .slice(0, MOST)
    .map((line) => `- ${line}\n`)
    .join('')}${more}`
}
