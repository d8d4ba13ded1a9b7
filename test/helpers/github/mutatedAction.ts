import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../makeFolder.ts'

/** One place of the source, and what stands there instead. */
export type Mutation = { readonly file: string; readonly from: string; readonly to: string }

/** A built copy of the action with one thing of its source switched off. */
export function mutatedAction({ file, from, to }: Mutation): string {
  const folder = makeFolder()
  for (const path of ['src', 'action', 'action.yml', 'package.json', 'scripts']) {
    cpSync(path, join(folder, path), { recursive: true })
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const source = readFileSync(join(folder, file), 'utf8')
  if (!source.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}: the mutation is out of date`)
  writeFileSync(join(folder, file), source.replaceAll(from, to))
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.mjs')], { stdio: 'ignore' })
  return folder
}
