import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { findVendorShapes, isVendorSecret } from '../../../src/lib/secrets/vendorShapes.ts'

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

it('is found wherever it stands in a value, as in a text of its own', () => {
  const { value } = createRedactor({ secrets: [] })
  const neighbours = ['', 'a', '-', '_', '=', '@', 'sk-', 'Authorization: Bearer ']
  for (const [, secret] of SHAPES)
    for (const one of neighbours)
      for (const other of neighbours) {
        const list = [one, secret, other, { [one]: `${secret}` }]
        expect(value(list)).toEqual([text(one), text(secret), text(other), { [text(one)]: text(secret) }])
        expect(JSON.stringify(value(list))).not.toContain(secret)
      }
})

const UPPER = 'QRSTUVWX23456723'
const KEY_BODY = `${letters(64)}\n`

/** What is found: the text with the name in the place of the secret. */
function marked(line: string): string {
  const [span, ...more] = findVendorShapes(line)
  if (span === undefined) return line
  if (more.length > 0) return `more than one: ${JSON.stringify([span, ...more])}`
  return `${line.slice(0, span.start)}<${span.name}>${line.slice(span.end)}`
}

/** Each of the first letters and each part that may be there or not, as short as they may be. */
const SHORTEST: readonly (readonly [line: string, marked: string])[] = [
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((start) => [`(${start}${UPPER})`, '(<AWS_ACCESS_KEY_ID>)'] as const),
  ...[...'opsur'].map((sign) => [`gh${sign}_${letters(30)}`, '<GITHUB_TOKEN>'] as const),
  [`github_pat_${letters(22)}`, '<GITHUB_TOKEN>'],
  ...['glpat', 'glptt', 'gldt'].map((start) => [`${start}-${letters(20)}`, '<GITLAB_TOKEN>'] as const),
  [`sk-ant-${letters(20)}`, '<ANTHROPIC_API_KEY>'],
  ...['proj', 'svcacct', 'admin', 'None'].map(
    (kind) => [`sk-${kind}-${letters(20)}_-${letters(18)}`, '<OPENAI_API_KEY>'] as const,
  ),
  [`sk-${letters(32)}`, '<OPENAI_API_KEY>'],
  ...[...'abeoprs'].map((sign) => [`xox${sign}-1234567890`, '<SLACK_TOKEN>'] as const),
  ['xapp-1-A123456789', '<SLACK_TOKEN>'],
  [`//hooks.slack.com/services/${letters(20)}"`, '//hooks.slack.com/services/<SLACK_TOKEN>"'],
  [`npm_${letters(36)}`, '<NPM_TOKEN>'],
  [`pypi-AgE${letters(50)}`, '<PYPI_TOKEN>'],
  [`AIza${letters(33)}_-`, '<GOOGLE_API_KEY>'],
  ...['sk_live', 'sk_test', 'rk_live', 'rk_test'].map((start) => [`${start}_${letters(16)}`, '<STRIPE_KEY>'] as const),
  [`AccountKey=${letters(84)}+/==;`, 'AccountKey=<AZURE_ACCOUNT_KEY>;'],
  [`hf_${letters(34)}`, '<HUGGINGFACE_TOKEN>'],
  [`"eyJ${letters(8)}.eyJ${letters(8)}.${letters(10)}"`, '"<JWT>"'],
  ...[
    ...['AWS_SECRET_ACCESS_KEY=', 'Aws_sEcReT_Access_Key=', 'secret_access_key=', 'secretaccesskey:'],
    ...['SecretAccessKey" : "', "SECRETACCESS_KEY'    =    '"],
  ].map((before) => [`${before}${letters(38)}/+\n`, `${before}<AWS_SECRET_ACCESS_KEY>\n`] as const),
  [`Authorization: Bearer ${letters(16)}`, 'Authorization: Bearer <AUTHORIZATION>'],
  ['ftp://me:abc@host', 'ftp://me:<URL_PASSWORD>@host'],
  ['ftp://:abc@host', 'ftp://:<URL_PASSWORD>@host'],
]

const pem = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----.`

describe('the shape of each', () => {
  it.each(SHORTEST)('%s, and no shorter', (line, expected) => {
    expect(marked(line)).toBe(expected)
    const [{ end } = { end: 0 }] = findVendorShapes(line)
    const shorter = line.slice(0, end - 1) + line.slice(end)
    expect(marked(shorter)).toBe(shorter)
  })

  it.each([
    [`ghs_${letters(30)}.${letters(10)}_${letters(10)}-${letters(10)}`, '<GITHUB_TOKEN>'],
    [`ghs_${letters(30)}.a-b`, '<GITHUB_TOKEN>.a-b'],
    ...[
      ...['AUTHORIZATION: BEARER ', 'aUtHoRiZaTiOn: bEaReR ', 'Authorization: token ', 'authorization:bearer '],
      ...['Authorization" : "Basic  ', "AUTHORIZATION'    =    'Bearer    "],
    ].map((before) => [`${before}${letters(12)}._~+/-=="`, `${before}<AUTHORIZATION>"`]),
    [pem('PRIVATE KEY', KEY_BODY), '<PRIVATE_KEY>.'],
    [pem('PGP PRIVATE KEY BLOCK', `Version: 1 (x)\n\n${KEY_BODY}`), '<PRIVATE_KEY>.'],
    [pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\n${KEY_BODY}`), '<PRIVATE_KEY>.'],
    [pem('OPENSSH PRIVATE KEY', KEY_BODY).replaceAll('\n', '\\n'), '<PRIVATE_KEY>.'],
    [`-----BEGIN RSA PRIVATE KEY-----\n${KEY_BODY}"`, '<PRIVATE_KEY>"'],
  ])('%s', (line, expected) => {
    expect(marked(line)).toBe(expected)
  })

  it.each<[why: string, line: string]>([
    ['too long', `AKIA${UPPER}A`],
    ['inside a word', `XAKIA${UPPER}`],
    ['a figure that is not used', `AKIA${UPPER.slice(1)}8`],
    ['too long', `secret_access_key=${letters(41)}`],
    ['too far from its name', `secret_access_key     =${letters(40)}`],
    ['another letter', `ghx_${letters(36)}`],
    ['inside a word', `desk-${letters(40)}`],
    ['no figure', 'xapp-a-1234567890'],
    ['inside a word', `shf_${letters(34)}`],
    ['inside a word', `xeyJ${letters(8)}.eyJ${letters(8)}.${letters(10)}`],
    ['a head that is too short', `eyJ${letters(7)}.eyJ${letters(8)}.${letters(10)}`],
    ['a body that is too short', `eyJ${letters(8)}.eyJ${letters(7)}.${letters(10)}`],
    ['another scheme', `Authorization: Digest ${letters(20)}`],
    ['no host', 'ftp://me:abcdef host'],
    ...['{{password}}', '*****', '%PASSWORD%', '[password]', '$PASSWORD', '${PASSWORD}', '<password>'].map(
      (text): [string, string] => ['a placeholder', `ftp://me:${text}@host`],
    ),
    ['no password', 'https://example.com:8080/@scope/name'],
    ['a public key', pem('PUBLIC KEY', KEY_BODY)],
    ['too short', '-----BEGIN PRIVATE KEY-----\nabc'],
    ['code', "if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) return"],
    ['words', 'btn sk-button-primary-large task-management-system-with-a-long-name, eyJust a word, AKIA is a prefix'],
    ['a hash', 'sha512-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=='],
  ])('%s: %s', (_, line) => {
    expect(marked(line)).toBe(line)
  })

  it('one that fills the text is a secret as a whole', () => {
    const token = `npm_${letters(36)}`
    expect([token, ` ${token}`, `${token} `, 'npm_', ''].filter(isVendorSecret)).toEqual([token])
    // What names it is not a part of it.
    expect(isVendorSecret(`AccountKey=${letters(86)}==`)).toBe(false)
  })

  it('finds each one in a text', () => {
    const token = `npm_${letters(36)}`
    expect(findVendorShapes(`${token} ${token}`).map(({ start }) => start)).toEqual([0, token.length + 1])
  })
})

describe('tokens of known vendors', () => {
  it.each(SHAPES)('%s is redacted on its own, in JSON, in a line, before a dot', (name, secret) => {
    expect(text(secret)).toBe(`[REDACTED:${name}]`)
    expect(text(`{"a":"${secret}"}`)).toBe(`{"a":"[REDACTED:${name}]"}`)
    expect(text(`export TOKEN=${secret}\n`)).toBe(`export TOKEN=[REDACTED:${name}]\n`)
    expect(text(`It is ${secret}, yes`)).not.toContain(secret.slice(8, 20))
  })

  it('takes linear time for starts without ends', () => {
    const starts = [
      ...['eyJ', 'eyJaaaaaaaa.', '://a:', '-----BEGIN RSA PRIVATE KEY-----AAAAAAAAAAAAAAAAAAAA', 'ghp_', 'sk-ant-'],
      ...['sk-', 'authorization: bearer ', 'secret_access_key = ', 'xoxb-', 'hf_', 'AKIA'],
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
