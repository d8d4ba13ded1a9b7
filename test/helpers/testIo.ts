import type { ProcessIo } from '../../src/contracts/processIo.ts'

type More = Partial<ProcessIo> & { hear?(text: string): void }

/** A process with nothing on stdin, and what it says. `hear` gets what is printed, too. */
export function openTestIo(argv: readonly string[], { hear, ...more }: More = {}) {
  const said = { stdout: '', stderr: '' }
  const into = (name: keyof typeof said) => (text: string) => {
    said[name] += text
    if (name === 'stdout') hear?.(text)
  }
  const io: ProcessIo = {
    ...{ argv, environment: {}, cwd: '/', home: '/', isTerminal: false, columns: 100 },
    ...{ print: into('stdout'), warn: into('stderr'), readStdin: async () => undefined, ...more },
  }
  return { io, said }
}
