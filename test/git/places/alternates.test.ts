import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sharedObjects } from '../../../src/git/places/alternates.ts'
import { gitAt } from '../../helpers/git.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it('are those of repositories alone, and theirs', () => {
  const top = makeFolder()
  const at = (...names: string[]) => join(top, ...names)
  for (const name of ['first', 'second']) gitAt(top)('init', '-q', '--bare', name)
  for (const name of ['plain/objects', 'project/sub']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('first/objects/info/alternates'), '../../second/objects\n')
  gitAt(at('project'))('init', '-q')
  expect(sharedObjects(at('project'))).toEqual([])
  const named = [at('first/objects'), at('plain/objects'), at('first'), at('missing/objects'), '']
  writeFileSync(at('project/.git/objects/info/alternates'), named.join('\n'))
  expect(sharedObjects(at('project'))).toEqual([at('first/objects'), at('second/objects')])
  expect(sharedObjects(at('project/sub'))).toEqual([at('first/objects'), at('second/objects')])
})
