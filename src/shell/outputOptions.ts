import type { Word } from '../contracts/subject.ts'
import type { FileOperand } from './fileOperand.ts'
import { toolName } from './toolName.ts'

/** Options whose value is the file that a program writes, whole, the value behind `=` or in the next word. */
const OUTPUTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'dot neato fdp sfdp circo twopi osage': ['-o'],
    'babel swc': ['-o', '--out-file'],
    esbuild: ['--outfile'],
    'eslint ruff': ['-o', '--output-file'],
    'flake8 cppcheck': ['--output-file'],
    'gpg gpg2 pandoc': ['-o', '--output'],
    'msgattrib msgcat msgcomm msgconv msgen msgfmt msggrep msginit msgmerge msguniq xgettext': [
      '-o',
      '--output',
      '--output-file',
    ],
    mypy: ['--junit-xml'],
    'objcopy strip': ['-o'],
    openssl: ['-out'],
    'postcss tailwindcss svgo': ['-o', '--output'],
    'pg_dump pg_dumpall': ['-f', '--file'],
    pylint: ['--output'],
    rollup: ['-o', '--file'],
    rustc: ['-o'],
    // But with `-l` in the same word, where it is read.
    'ssh-keygen': ['-f'],
    'sort shuf iconv': ['-o', '--output'],
    'terraform tofu': ['-out'],
    'xmllint xsltproc': ['-o', '--output', '-output'],
    tsc: ['--outFile'],
    'zstd unzstd': ['-o'],
  }).flatMap(([names, options]) => names.split(' ').map((name) => [name, options] as const)),
)

/** The files that such options name: a rule must allow to write them, as with a redirect, or spell the option. */
export function outputOperands(called: string, argv: readonly Word[]): readonly FileOperand[] {
  return readOutputs(called, argv).outputs.map((output): FileOperand => {
    const path = output.at(-1) ?? ''
    const value = output.length > 1 ? path : path.replace(/^-[^=]*=/, '')
    return { access: 'write', path: value, isPattern: false, isTarget: true, output }
  })
}

/** The words without such options and the files that they name. */
export function withoutOutputs(called: string, argv: readonly Word[]): readonly Word[] {
  return readOutputs(called, argv).others
}

function readOutputs(called: string, argv: readonly Word[]) {
  const name = toolName(called)
  const options = OUTPUTS.get(name) ?? []
  const copied = name === 'objcopy' ? copiedTo(argv) : undefined
  const outputs: (readonly string[])[] = []
  const others: Word[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) continue
    const next = argv[index + 1]
    const value = word.kind === 'literal' ? word.value : ''
    const at = value.indexOf('=')
    // Behind a letter `=` is a part of the name.
    const isOutput = options.includes(at < 0 ? value : value.slice(0, at)) && (at < 0 || at > '-o'.length)
    const path = at >= 0 ? value.slice(at + 1) : next?.kind === 'literal' ? next.value : ''
    if (word === copied && isPlace(value)) outputs.push([value])
    else if (!isOutput || !isPlace(path)) others.push(word)
    else if (at >= 0) outputs.push([value])
    else {
      outputs.push([value, path])
      index += 1
    }
  }
  return { outputs, others }
}

/** What objcopy writes: its second operand, or the only one. */
function copiedTo(argv: readonly Word[]): Word | undefined {
  const operands = argv.filter((word, index) => {
    const before = argv[index - 1]
    const isValue = before?.kind === 'literal' && COPY_VALUED.test(before.value)
    return index > 0 && !isValue && !(word.kind === 'literal' && word.value.startsWith('-'))
  })
  return operands[1] ?? operands[0]
}

const COPY_VALUED =
  /^-(?:[BFIjKNOR]|-(?:add-section|gap-fill|info|input-target|keep-symbol|only-section|output-target|remove-section|rename-section|set-section-flags|strip-symbol))$/

/** A file in plain sight; of `-` it is not known whether it is the output. */
function isPlace(path: string): boolean {
  return path !== '' && !path.endsWith('/') && !/^[-|!@]|[\r\n]/.test(path)
}
