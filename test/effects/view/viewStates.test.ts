import { expect, it } from 'vitest'
import { viewStates } from '../../../src/effects/view/viewStates.ts'

const { before, now } = viewStates([
  { lower: '/p', upper: '/views/0/upper' },
  { lower: '/p/inner/git', upper: '/views/1/upper' },
  { lower: '/other', upper: '/views/2/upper' },
])

it.each([
  ['in the view of the folder that holds it', '/p/src/a', '/views/0/upper/src/a'],
  ['in the inner one of two', '/p/inner/git/HEAD', '/views/1/upper/HEAD'],
  ['in the outer one beside the inner', '/p/inner/gitx', '/views/0/upper/inner/gitx'],
  ['in another view', '/other/a', '/views/2/upper/a'],
  ['where it is, outside of all views', '/q/a', '/q/a'],
])('finds the new state of a path %s, and the old one where it is', (_, path, at) => {
  expect([now(path), before(path)]).toEqual([at, path])
})
