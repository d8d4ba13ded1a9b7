import { expect } from 'vitest'
import { type HostRule, parseHostRule } from '../../../src/sandbox/network/parseHostRule.ts'

export function rules(...texts: string[]): HostRule[] {
  return texts.map((text) => parseHostRule(text) ?? expect.fail(text))
}
