import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { playScene, type Scene } from '../helpers/tools/playScenes.ts'

const FOLDER = new URL('./scenes/', import.meta.url)

// What the model reads of right calls and of each error, what rules are asked, and what logs and reports show. Read a change
// as the model does, which has nothing but these words: `npx vitest run test/tools/scenes.test.ts -u` writes it.
it.each(readdirSync(FOLDER))('answers the calls of %s as it did', { timeout: 60_000 }, async (file) => {
  const scenes = parse(readFileSync(new URL(file, FOLDER), 'utf8')) as readonly Scene[]
  const told: string[] = []
  for (const scene of scenes) told.push(await playScene(scene))
  await expect(told.join('\n')).toMatchFileSnapshot(`golden/${basename(file, '.yml')}.txt`)
})
