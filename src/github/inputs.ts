import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'
import { findForeignInput } from './foreignInputs.ts'

/** One input of the action, with the flag that it sets, if any. */
type Input = { readonly flag?: string; readonly kind?: 'text' | 'switch' }

/** The inputs of `action.yml`. A test keeps both in step. */
export const INPUTS = {
  prompt: {},
  prompt_file: { flag: 'prompt-file' },
  policy: { flag: 'policy' },
  model: { flag: 'model' },
  max_turns: { flag: 'max-turns' },
  max_budget_usd: { flag: 'max-budget-usd' },
  ledger: { flag: 'ledger' },
  timeout: { flag: 'timeout' },
  settings: { flag: 'settings' },
  mcp_config: { flag: 'mcp-config' },
  allowed_tools: { flag: 'allowedTools' },
  disallowed_tools: { flag: 'disallowedTools' },
  json_schema: { flag: 'json-schema' },
  anthropic_api_key: {},
  github_token: {},
  working_directory: { flag: 'cwd' },
  allowed_bots: {},
  allowed_non_write_users: {},
  allow_sudo: { kind: 'switch' },
  fail_on_denied: { flag: 'fail-on-denied', kind: 'switch' },
  show_full_output: { flag: 'verbose', kind: 'switch' },
  output_file: { flag: 'output-last-message' },
  args: {},
} as const satisfies Record<string, Input>

export type InputName = keyof typeof INPUTS
export type Inputs = Readonly<Partial<Record<InputName, string>>>

/**
 * The inputs from the runner (`INPUT_…`), without empty ones. An unknown input is a `usage` error that names the right
 * one, because an ignored limit would be worse than no run.
 */
export function readInputs(environment: Readonly<Record<string, string | undefined>>): Inputs {
  const given: Partial<Record<InputName, string>> = {}
  const faults: string[] = []
  for (const [variable, value = ''] of Object.entries(environment)) {
    if (!variable.startsWith('INPUT_') || value.trim() === '') continue
    const name = variable.slice('INPUT_'.length).toLowerCase()
    if (isInput(name)) given[name] = value.trim()
    else faults.push(`There is no input ${name}${adviceFor(name)}`)
  }
  if (faults.length > 0) throw new RunError('usage', faults.join('\n'))
  return given
}

function isInput(name: string): name is InputName {
  return Object.hasOwn(INPUTS, name)
}

function adviceFor(name: string): string {
  const word = name.replaceAll('-', '_')
  const right = isInput(word) ? word : (findForeignInput(word) ?? nearest(word, Object.keys(INPUTS)))
  if (right === undefined) return `: the inputs are ${Object.keys(INPUTS).join(', ')}.`
  return isInput(right) ? `: write \`${right}\`.` : `. ${right}`
}

/** The inputs as arguments of `kode-run run`, without prompt, key and what the event decides. No shell is involved. */
export function toArguments(inputs: Inputs): string[] {
  const flags = Object.entries(INPUTS).flatMap(([name, input]: [string, Input]) => {
    const value = inputs[name as InputName]
    if (input.flag === undefined || value === undefined) return []
    if (input.kind === 'switch') return readSwitch(name, value) ? [`--${input.flag}`] : []
    return [`--${input.flag}=${value}`]
  })
  return ['run', ...flags, ...splitWords(inputs.args ?? '')]
}

/** `true` or `false`; anything else is a `usage` error that names the input. */
export function readSwitch(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new RunError('usage', `${name}: write true or false.`)
  return value === 'true'
}

/** Names separated by commas or white space. */
export function splitNames(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((name) => name !== '')
}

/** Splits words at white space outside quotes, as a shell would, but with no other shell syntax. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote === '' && /\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === '' && (sign === '"' || sign === "'")) {
      quote = sign
      word ??= ''
    } else if (sign === quote) quote = ''
    else if (sign === '\\' && quote !== "'" && at + 1 < text.length) word = (word ?? '') + text.charAt(++at)
    else word = (word ?? '') + sign
  }
  if (quote !== '') throw new RunError('usage', `args: a ${quote} is not closed.`)
  return word === undefined ? words : [...words, word]
}
