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

describe('the shape of each', () => {
  it.each([
    // Each of the first letters, each part that may be there or not, and the shortest that counts.
    ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((start) => [`(${start}${UPPER})`, '(<AWS_ACCESS_KEY_ID>)']),
    ...['o', 'p', 's', 'u', 'r'].map((sign) => [`gh${sign}_${letters(30)}`, '<GITHUB_TOKEN>']),
    [`ghs_${letters(30)}.${letters(10)}_${letters(10)}-${letters(10)}`, '<GITHUB_TOKEN>'],
    [`ghs_${letters(30)}.a-b`, '<GITHUB_TOKEN>.a-b'],
    [`github_pat_${letters(22)}`, '<GITHUB_TOKEN>'],
    ...['glpat', 'glptt', 'gldt'].map((start) => [`${start}-${letters(20)}`, '<GITLAB_TOKEN>']),
    [`sk-ant-${letters(20)}`, '<ANTHROPIC_API_KEY>'],
    ...['proj', 'svcacct', 'admin', 'None'].map((kind) => [
      `sk-${kind}-${letters(20)}_-${letters(18)}`,
      '<OPENAI_API_KEY>',
    ]),
    [`sk-${letters(32)}`, '<OPENAI_API_KEY>'],
    ...[...'abeoprs'].map((sign) => [`xox${sign}-1234567890`, '<SLACK_TOKEN>']),
    ['xapp-1-A123456789', '<SLACK_TOKEN>'],
    [`//hooks.slack.com/services/${letters(20)}"`, '//hooks.slack.com/services/<SLACK_TOKEN>"'],
    [`npm_${letters(36)}`, '<NPM_TOKEN>'],
    [`pypi-AgE${letters(50)}`, '<PYPI_TOKEN>'],
    [`AIza${letters(33)}_-`, '<GOOGLE_API_KEY>'],
    ...['sk_live', 'sk_test', 'rk_live', 'rk_test'].map((start) => [`${start}_${letters(16)}`, '<STRIPE_KEY>']),
    [`AccountKey=${letters(84)}+/==;`, 'AccountKey=<AZURE_ACCOUNT_KEY>;'],
    [`hf_${letters(34)}`, '<HUGGINGFACE_TOKEN>'],
    [`"eyJ${letters(8)}.eyJ${letters(8)}.${letters(10)}"`, '"<JWT>"'],
    ...[
      'AWS_SECRET_ACCESS_KEY=',
      'Aws_sEcReT_Access_Key=',
      'secret_access_key=',
      'secretaccesskey:',
      'SecretAccessKey" : "',
      "SECRETACCESS_KEY'    =    '",
    ].map((before) => [`${before}${letters(38)}/+\n`, `${before}<AWS_SECRET_ACCESS_KEY>\n`]),
    ...[
      'AUTHORIZATION: BEARER ',
      'aUtHoRiZaTiOn: bEaReR ',
      'Authorization: token ',
      'authorization:bearer ',
      'Authorization" : "Basic  ',
      "AUTHORIZATION'    =    'Bearer    ",
    ].map((before) => [`${before}${letters(12)}._~+/-=="`, `${before}<AUTHORIZATION>"`]),
    ['ftp://me:abc@host', 'ftp://me:<URL_PASSWORD>@host'],
    ['ftp://:abc@host', 'ftp://:<URL_PASSWORD>@host'],
    [`-----BEGIN PRIVATE KEY-----\n${KEY_BODY}-----END PRIVATE KEY-----.`, '<PRIVATE_KEY>.'],
    [
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1 (x)\n\n${KEY_BODY}-----END PGP PRIVATE KEY BLOCK-----.`,
      '<PRIVATE_KEY>.',
    ],
    [
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n${KEY_BODY}-----END RSA PRIVATE KEY-----.`,
      '<PRIVATE_KEY>.',
    ],
    [`-----BEGIN RSA PRIVATE KEY-----\n${KEY_BODY}"`, '<PRIVATE_KEY>"'],
  ])('%s', (line, expected) => {
    expect(marked(line)).toBe(expected)
  })

  it.each([
    ['too short', `AKIA${UPPER.slice(1)}`],
    ['too long', `AKIA${UPPER}A`],
    ['inside a word', `XAKIA${UPPER}`],
    ['a figure that is not used', `AKIA${UPPER.slice(1)}8`],
    ['too short', `secret_access_key=${letters(39)}`],
    ['too long', `secret_access_key=${letters(41)}`],
    ['too far from its name', `secret_access_key     =${letters(40)}`],
    ['another letter', `ghx_${letters(36)}`],
    ['too short', `ghp_${letters(29)}`],
    ['too short', `github_pat_${letters(21)}`],
    ['too short', `glpat-${letters(19)}`],
    ['too short', `sk-ant-${letters(19)}`],
    ['too short', `sk-proj-${letters(39)}`],
    ['too short', `sk-${letters(31)}`],
    ['inside a word', `desk-${letters(40)}`],
    ['too short', 'xoxb-123456789'],
    ['no figure', 'xapp-a-1234567890'],
    ['too short', `hooks.slack.com/services/${letters(19)}`],
    ['too short', `npm_${letters(35)}`],
    ['too short', `pypi-AgE${letters(49)}`],
    ['too short', `AIza${letters(34)}`],
    ['too short', `sk_live_${letters(15)}`],
    ['too short', `AccountKey=${letters(85)}==`],
    ['inside a word', `shf_${letters(34)}`],
    ['too short', `hf_${letters(33)}`],
    ['inside a word', `xeyJ${letters(8)}.eyJ${letters(8)}.${letters(10)}`],
    ['too short', `eyJ${letters(7)}.eyJ${letters(8)}.${letters(10)}`],
    ['too short', `eyJ${letters(8)}.eyJ${letters(7)}.${letters(10)}`],
    ['too short', `eyJ${letters(8)}.eyJ${letters(8)}.${letters(9)}`],
    ['too short', `Authorization: Bearer ${letters(15)}`],
    ['another scheme', `Authorization: Digest ${letters(20)}`],
    ['too short', 'ftp://me:ab@host'],
    ['no host', 'ftp://me:abcdef host'],
    ['a placeholder', 'ftp://me:{{password}}@host'],
    ['a placeholder', 'ftp://me:*****@host'],
    ['a placeholder', 'ftp://me:%PASSWORD%@host'],
    ['a placeholder', 'ftp://me:[password]@host'],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${KEY_BODY}-----END PUBLIC KEY-----`],
    ['too short', '-----BEGIN PRIVATE KEY-----\nabc'],
  ])('%s: %s', (_, line) => {
    expect(marked(line)).toBe(line)
  })

  it('one that fills the text is a secret as a whole', () => {
    const token = `npm_${letters(36)}`
    expect([token, ` ${token}`, `${token} `, 'npm_', ''].map(isVendorSecret)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
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
