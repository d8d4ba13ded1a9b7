import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Secrets that look like what they stand for and open nothing; the names are those of the variables that hold them. */
export const CANARIES = {
  ANTHROPIC_API_KEY: 'sk-ant-api03-c4n4ryKeyQ7w2Zt9Lm5Xr8Vb3Nd6',
  GITHUB_TOKEN: 'ghp_c4n4ryTok3nH8kP2sW6yB9fJ4mR7tL1vX5qZ',
  DB_PASSWORD: 'kX7!pLq2&vN9w/Z-5tRb+"8',
  NPM_TOKEN: 'npm_c4n4ryNpmD3gH7jK1mN5pQ9rS2tV6wX8zB4f',
  SIGNING_SECRET: 'first-9f8e7d6c5b4a\nsecond/line+4a3b2c1d0e9f==',
} as const

/** What stands only in a file: in `.env` of the project, and as a private key in the home folder. */
export const FILE_CANARIES = {
  ENV_FILE: 'env-file-3c9A1f7E5b2D8h4K',
  SSH_KEY: 'b3BlbnNzaC1rZXktdjEC4N4RYbm9uZQxK2mP7qR9sT4vW6yZ8aB1cD3eF5gH7jL9nQ2rU',
} as const

type Canary = { readonly name: string; readonly value: string }

const ALL_CANARIES: readonly Canary[] = Object.entries({ ...CANARIES, ...FILE_CANARIES }).map(([name, value]) => ({
  name,
  value,
}))

/** The forms that are promised to be found: the value, its lines, base64 at three shifts, hex, URL and JSON. */
export function formsOf(value: string): readonly string[] {
  const texts = [value, ...value.split('\n')]
  return [...new Set(texts.flatMap(formsOfText))].filter((form) => form.length >= 12)
}

function formsOfText(text: string): string[] {
  const bytes = Buffer.from(text)
  const shifted = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return whole.slice(Math.ceil((shift * 8) / 6), -1)
  })
  const url = shifted.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = bytes.toString('hex')
  return [text, ...shifted, ...url, hex, hex.toUpperCase(), encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
}

/** The canaries of which a text holds a whole form. */
export function findWhole(text: string, needlesOf = formsOf): readonly string[] {
  return ALL_CANARIES.flatMap(({ name, value }) => {
    const found = needlesOf(value).find((needle) => text.includes(needle))
    return found === undefined ? [] : [`${name}: …${found}…`]
  })
}

const PIECE = 12

/** Every piece of a form of a line, with the canary's name; pieces of a few repeated signs say nothing. */
const PIECES: ReadonlyMap<string, string> = new Map(
  ALL_CANARIES.flatMap(({ name, value }) =>
    value
      .split('\n')
      .flatMap(formsOfText)
      .flatMap(piecesOf)
      .map((piece): [string, string] => [piece, name]),
  ),
)

function piecesOf(text: string): string[] {
  const pieces = Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, at) => text.slice(at, at + PIECE))
  return pieces.filter((piece) => new Set(piece).size > 3)
}

/** The canaries of which a text holds any piece of 12 characters, in any form that is promised to be found. */
export function findPieces(text: string): readonly string[] {
  const found = new Map<string, string>()
  for (let at = 0; at + PIECE <= text.length; at++) {
    const piece = text.slice(at, at + PIECE)
    const name = PIECES.get(piece)
    if (name !== undefined) found.set(name, piece)
  }
  return [...found].map(([name, piece]) => `${name}: …${piece}…`)
}

/** Names and contents of all files below a folder, but for those left out. */
export function bytesBelow(
  folder: string,
  leaveOut: (path: string) => boolean,
): readonly (readonly [string, string])[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (leaveOut(path)) return []
    const stat = lstatSync(path)
    if (stat.isDirectory()) return [[path, name] as const, ...bytesBelow(path, leaveOut)]
    return [[path, stat.isFile() ? `${name}\n${readFileSync(path, 'latin1')}` : name] as const]
  })
}
