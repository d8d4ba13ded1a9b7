import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { opaqueFolders } from '../../../src/sandbox/mounts/opaqueFolders.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

/** Asks about the upper one of two folders; `marked` is what the kernel marked. Says what was asked, and what came out. */
async function ask(
  lower: Readonly<Record<string, string>>,
  upper: Readonly<Record<string, string>>,
  marked: readonly string[] = [],
  answers?: number,
) {
  const [below, above] = [makeFiles(lower), makeFiles(upper)]
  const asked: string[] = []
  let questions = 0
  const tar = {
    ...{ program: '/bin/tar', start: () => undefined, close: () => undefined },
    areOpaque: async (paths: readonly string[]) => {
      questions += 1
      asked.push(...paths.map((path) => path.slice(above.length + 1)))
      return paths.map((path) => marked.includes(path.slice(above.length + 1))).slice(0, answers)
    },
  }
  const found = await opaqueFolders({ lower: below, upper: above }, tar, (folder) => readdirSync(folder))
  expect(questions).toBe(asked.length === 0 ? 0 : 1)
  return { asked, found: [...found].map((path) => path.slice(above.length + 1)) }
}

it('only a folder that lacks something of the checkout can hide it; nobody is asked about others', async () => {
  expect(await ask({ 'a/x': '', 'b/y': '' }, { 'a/x': '', 'b/y': '', 'c/z': '' })).toEqual({ asked: [], found: [] })
  // The top is never made again.
  expect(await ask({ x: '' }, {})).toEqual({ asked: [], found: [] })
})

it('it is asked about, and so are the folders above it', async () => {
  const lower = { 'a/b/x': '', 'a/b/y': '', 'c/z': '' }
  const upper = { 'a/b/x': '', 'c/z': '' }
  expect(await ask(lower, upper)).toEqual({ asked: ['a/b', 'a'], found: [] })
  expect(await ask(lower, upper, ['a'])).toEqual({ asked: ['a/b', 'a'], found: ['a'] })
})

it('a file or a link in one of the two places is no folder of both', async () => {
  const lower = { 'a/x': '', 'b/x': '', c: '', 'd/x': '' }
  expect(await ask(lower, { a: '', b: '-> a', 'c/y': '', 'd/': '' })).toEqual({ asked: ['d'], found: [] })
})

it('an answer that is too short is an error', async () => {
  await expect(ask({ 'a/x': '' }, { 'a/': '' }, [], 0)).rejects.toThrow(
    '/bin/tar does not list the folders of the view',
  )
})
