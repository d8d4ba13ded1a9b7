import type { Explained } from '../explained.ts'

/** Of `src/lib`. */
export const libMutants: readonly Explained[] = [
  {
    file: 'src/lib/net/parseUrl.ts',
    why: 'Nothing is `undefined` too.',
    mutants: ['} catch { | { return undefined } => {}'],
  },
  {
    file: 'src/lib/net/readBody.ts',
    why: 'Nobody asks how much of a plain body was received.',
    mutants: [
      `if (decoder !== undefined) raw.on('data', (chunk: Buffer) => (received += chunk.length)) | decoder !== undefined => true`,
    ],
  },
]
