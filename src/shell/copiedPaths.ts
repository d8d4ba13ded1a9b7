import type { FoundPaths, PathForms } from '../contracts/subject.ts'
import type { CopiedTree, OperandPlace } from './fileOperand.ts'

/** Where the files of a tree come to stand when it is copied to a place, as the disk has them now. */
export function copiedPaths(tree: CopiedTree, target: PathForms, place: OperandPlace): FoundPaths {
  let known: readonly string[] | undefined | null = null
  const files = (): readonly string[] | undefined => {
    if (known === null) known = list(tree, target, place)
    return known
  }
  return { isPicked: true, key: JSON.stringify([tree, place.resolve(tree.from)]), files }
}

function list(tree: CopiedTree, target: PathForms, { resolve, disk }: OperandPlace): readonly string[] | undefined {
  const names = disk && (tree.isGlob ? namesOfGlob(tree, resolve, disk) : namesOfFolder(tree, resolve, disk))
  if (names === undefined) return undefined
  const bases = new Set([target.lexical, target.resolved, target.physical])
  return [...bases].flatMap((base) => names.map((name) => `${base === '/' ? '' : base}/${name}`))
}

type Disk = NonNullable<OperandPlace['disk']>
type Resolve = OperandPlace['resolve']

function namesOfFolder({ from, name }: CopiedTree, resolve: Resolve, disk: Disk): readonly string[] | undefined {
  const { physical } = resolve(from)
  const below = disk.tree(physical, true)?.map(({ path }) => path)
  const own = [from, physical].map((path) => path.replace(/\/+$/, '').split('/').at(-1) ?? '')
  const kept = name === 'dropped' ? [] : own.flatMap((base) => below?.map((path) => `${base}/${path}`) ?? [])
  return below && [...kept, ...(name === 'kept' ? [] : below)]
}

/** What the glob fits keeps its last name, or a single folder may lose it. */
function namesOfGlob({ from, name }: CopiedTree, resolve: Resolve, disk: Disk): readonly string[] | undefined {
  const folder = /^[^*?[]*\//.exec(from)?.[0] ?? ''
  const rest = from.slice(folder.length)
  const { physical } = resolve(folder === '' ? '.' : folder)
  const depth = rest.split('/').filter((part) => part !== '' && part !== '.').length - 1
  const start = physical === '/' ? 1 : physical.length + 1
  const paths = disk.below(physical, rest)?.map((path) => path.slice(start).split('/').slice(depth))
  const kept = paths?.map((parts) => parts.join('/'))
  const dropped = name === 'kept' ? [] : paths?.flatMap((parts) => (parts.length > 1 ? [parts.slice(1).join('/')] : []))
  return kept && dropped && [...kept, ...dropped]
}
