import { expect, it } from 'vitest'
import { linkTarget } from '../../../src/effects/judge/linkTarget.ts'

/** Where a link at `/p/src/link` ends, with other links beside it. */
function end(target: string, links: Readonly<Record<string, string>> = {}, roots: readonly string[] = ['/p', '/q']) {
  const { isInside, path } = linkTarget('/p/src/link', target, { roots, linkAt: (at) => links[at] })
  return [isInside, path]
}

it('follows a target name by name, from the folder of the link', () => {
  expect(end('a')).toEqual([true, '/p/src/a'])
  expect(end('./a//b/')).toEqual([true, '/p/src/a/b'])
  expect(end('../docs/a')).toEqual([true, '/p/docs/a'])
  expect(end('..')).toEqual([true, '/p'])
  expect(end('.')).toEqual([true, '/p/src'])
})

it('takes an absolute target by the root that it is in', () => {
  expect(end('/p/docs/a')).toEqual([true, '/p/docs/a'])
  expect(end('/p')).toEqual([true, '/p'])
  expect(end('/q/a')).toEqual([true, '/q/a'])
  expect(end('/pp/a')).toEqual([false, '/pp/a'])
  expect(end('/etc/passwd')).toEqual([false, '/etc/passwd'])
})

it('goes through other links, relative and absolute', () => {
  expect(end('one/a', { '/p/src/one': 'two', '/p/src/two': '../docs' })).toEqual([true, '/p/docs/a'])
  expect(end('one/a', { '/p/src/one': '/q/deep' })).toEqual([true, '/q/deep/a'])
  expect(end('/p/docs/a', { '/p/docs': '/q' })).toEqual([true, '/q/a'])
  expect(end('one/a', { '/p/src/one': '/etc' })[0]).toBe(false)
  expect(end('/p/docs/a', { '/p/docs': '/etc' })[0]).toBe(false)
})

it('ends outside as soon as a name does, also where the rest would lead back', () => {
  expect(end('../../p/docs')[0]).toBe(false)
  expect(end('one/p/docs', { '/p/src/one': '../..' })[0]).toBe(false)
  expect(end('../..')[0]).toBe(false)
})

it('goes nowhere behind a name that is left again: what it means may change', () => {
  expect(end('x/../a')).toEqual([false, '/'])
  expect(end('../../x/..')).toEqual([false, '/'])
  expect(end('/p/x/../a')).toEqual([false, '/'])
  expect(end('one', { '/p/src/one': 'x/../a' })[0]).toBe(false)
  expect(end('one', { '/p/src/one': '/p/x/../a' })[0]).toBe(false)
  expect(end('../../src/a', {}, ['/'])).toEqual([true, '/src/a'])
})

it('gives up on a circle', () => {
  expect(end('one', { '/p/src/one': 'one' })[0]).toBe(true)
  const chain = Object.fromEntries(Array.from({ length: 39 }, (_, at) => [`/p/src/l${at}`, `l${at + 1}`]))
  expect(end('l0', chain)).toEqual([true, '/p/src/l39'])
})
