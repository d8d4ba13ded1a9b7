import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'

const { text } = createRedactor({ secrets: [] })
const letters = (length: number): string => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYz0'.repeat(20).slice(0, length)

// The values are made up here, in parts, so that no scanner takes this file for a leak.
const SHAPES: readonly (readonly [name: string, secret: string])[] = [
  ['AWS_ACCESS_KEY_ID', `AKIA${'QRSTUVWX23456723'}`],
  ['GITHUB_TOKEN', `ghp_${letters(36)}`],
  ['GITHUB_TOKEN', `ghs_${letters(36)}.${letters(40)}`],
  ['GITHUB_TOKEN', `github_pat_${letters(22)}_${letters(59)}`],
  ['GITLAB_TOKEN', `glpat-${letters(20)}`],
  ['ANTHROPIC_API_KEY', `sk-ant-api03-${letters(80)}-AA`],
  ['OPENAI_API_KEY', `sk-proj-${letters(80)}`],
  ['OPENAI_API_KEY', `sk-${letters(48)}`],
  ['SLACK_TOKEN', `xoxb-1234567890-${letters(24)}`],
  ['NPM_TOKEN', `npm_${letters(36)}`],
  ['PYPI_TOKEN', `pypi-AgE${letters(60)}`],
  ['GOOGLE_API_KEY', `AIza${letters(35)}`],
  ['STRIPE_KEY', `sk_live_${letters(24)}`],
  ['HUGGINGFACE_TOKEN', `hf_${letters(34)}`],
  ['JWT', `eyJ${letters(20)}.eyJ${letters(40)}.${letters(43)}`],
]

describe('tokens of known vendors', () => {
  it.each(SHAPES)('%s is redacted on its own, in JSON, in a line, before a dot', (name, secret) => {
    expect(text(secret)).toBe(`[REDACTED:${name}]`)
    expect(text(`{"a":"${secret}"}`)).toBe(`{"a":"[REDACTED:${name}]"}`)
    expect(text(`export TOKEN=${secret}\n`)).toBe(`export TOKEN=[REDACTED:${name}]\n`)
    expect(text(`It is ${secret}, yes`)).not.toContain(secret.slice(8, 20))
  })

  it.each([
    ['aws_secret_access_key = ', letters(40), '', 'AWS_SECRET_ACCESS_KEY'],
    ['"SecretAccessKey": "', letters(40), '"', 'AWS_SECRET_ACCESS_KEY'],
    ['Authorization: Bearer ', letters(30), '', 'AUTHORIZATION'],
    ['AUTHORIZATION: basic ', `${letters(30)}==`, '', 'AUTHORIZATION'],
    ['https://hooks.slack.com/services/', `T0/B0/${letters(24)}`, '', 'SLACK_TOKEN'],
    ['postgres://app:', 'not-a-word-1', '@db:5432/x', 'URL_PASSWORD'],
    ['AccountKey=', `${letters(86)}==`, ';', 'AZURE_ACCOUNT_KEY'],
  ])('keeps the text before a token: %s', (before, secret, after, name) => {
    expect(text(before + secret + after)).toBe(`${before}[REDACTED:${name}]${after}`)
  })

  it.each(['\n', '\\n'])('redacts a private key, complete or truncated, with line ends %j', (end) => {
    const body = [`-----BEGIN OPENSSH PRIVATE KEY-----`, letters(64), letters(64)].join(end)
    expect(text(`a ${body}${end}-----END OPENSSH PRIVATE KEY----- b`)).toBe('a [REDACTED:PRIVATE_KEY] b')
    expect(text(`a ${body}`)).toBe('a [REDACTED:PRIVATE_KEY]')
  })

  it.each([
    'https://user:$PASSWORD@example.com',
    'https://user:${PASSWORD}@example.com',
    'https://user:<password>@example.com',
    'https://example.com:8080/@scope/name',
    "if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) return",
    'btn sk-button-primary-large task-management-system-with-a-long-name',
    'eyJust a word',
    'AKIA is a prefix',
    'sha512-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789==',
  ])('leaves %s', (line) => {
    expect(text(line)).toBe(line)
  })

  it('takes linear time for starts without ends', () => {
    const starts = [
      'eyJ',
      'eyJaaaaaaaa.',
      '://a:',
      '-----BEGIN RSA PRIVATE KEY-----AAAAAAAAAAAAAAAAAAAA',
      'ghp_',
      'sk-ant-',
      'sk-',
      'authorization: bearer ',
      'secret_access_key = ',
      'xoxb-',
      'hf_',
      'AKIA',
    ]
    for (const start of starts) {
      const long = start.repeat(Math.ceil(400_000 / start.length))
      const began = process.cpuUsage().user
      text(long)
      // A quadratic pattern takes minutes on this; the limit is far above any machine's noise.
      expect((process.cpuUsage().user - began) / 1000, start).toBeLessThan(5_000)
    }
  })
})
