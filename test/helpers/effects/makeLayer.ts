import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, linkSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listChanges, readUpper } from '../../../src/effects/view/readUpper.ts'
import type { OpenTar } from '../../../src/sandbox/mounts/openTar.ts'
import { createView } from '../../../src/sandbox/views/createView.ts'
import { type Files, makeFiles, writeFiles } from './makeFiles.ts'

/** Names of one whiteout, because a process for each would take long. Since Linux 5.8 every user may make one. */
const WHITEOUT = join(mkdtempSync(join(realpathSync(tmpdir()), 'whiteout-')), 'gone')
process.on('exit', () => rmSync(dirname(WHITEOUT), { recursive: true, force: true }))
export const hasWhiteouts = spawnSync('mknod', [WHITEOUT, 'c', '0', '0']).status === 0
export const withoutWhiteouts = hasWhiteouts ? '' : ' (needs whiteouts)'

export type MadeLayer = {
  readonly checkout?: Files
  /** What is in the upper folder of the view. */
  readonly view?: Files
  /** What the command removed. */
  readonly gone?: readonly string[]
  /** Folders that it made again: the kernel marks them. */
  readonly opaque?: readonly string[]
}

/** A checkout, and a view of it as the kernel leaves it after a command. Nothing is mounted. */
export function makeLayer({ checkout = {}, view = {}, gone = [], opaque = [] }: MadeLayer) {
  const folder = makeFiles({ 'checkout/': '', 'views/': '' })
  const root = join(folder, 'checkout')
  const made = createView(join(folder, 'views'), [root])
  const [layer] = made.layers
  if (layer === undefined) throw new Error('there is no layer')
  chmodSync(layer.upper, 0o755)
  chmodSync(root, 0o755)
  writeFiles(root, checkout)
  writeFiles(layer.upper, view)
  const atUpper = (path: string) => join(layer.upper, path)
  for (const path of gone) {
    writeFiles(layer.upper, { [`${path}/../`]: '' })
    linkSync(WHITEOUT, atUpper(path))
  }
  const asked: string[] = []
  const tar: OpenTar = {
    program: 'tar',
    start: () => undefined,
    areOpaque: async (paths) => {
      asked.push(...paths)
      return paths.map((path) => opaque.map(atUpper).includes(path))
    },
    close: () => undefined,
  }
  const read = () => readUpper(layer, tar)
  return {
    ...{ root, layer, tar, asked, read, atUpper },
    at: (path: string) => join(root, path),
    /** Runs lines of a shell in the upper folder; $ROOT is the checkout. */
    sh: (script: string) =>
      void execFileSync('sh', ['-ec', script], { cwd: layer.upper, env: { ...process.env, ROOT: root } }),
    view: made.folder,
    state: join(folder, 'state'),
    /** Lines as `created link a -> b`, `modified file s (set id)`. */
    changes: async () =>
      listChanges(await read()).map(({ kind, entry, path, target, isSetId }) =>
        [`${kind} ${entry} ${path.slice(root.length + 1)}`, target && `-> ${target}`, isSetId && '(set id)']
          .filter((part) => part)
          .join(' '),
      ),
  }
}
