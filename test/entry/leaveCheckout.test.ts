import { tmpdir } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { leaveCheckout } from '../../src/entry/leaveCheckout.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

function withTmpdir(value: string): void {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = value
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
}

it('keeps a folder outside of the workspaces', () => {
  const [folder, workspace] = [makeFolder(), makeFolder()]
  withTmpdir(folder)
  expect([leaveCheckout([workspace]), tmpdir()]).toEqual([[], folder])
})

it('leaves a folder in a workspace, where its files would count as changes', () => {
  const workspace = makeFolder()
  withTmpdir(workspace)
  expect(leaveCheckout([workspace])).toEqual([expect.stringContaining(`TMPDIR is in the checkout (${workspace})`)])
  expect(tmpdir()).toBe('/tmp')
})

it('stays where no folder is outside', () => {
  withTmpdir('/tmp')
  expect([leaveCheckout(['/']), tmpdir()]).toEqual([[], '/tmp'])
})

it('leaves no folder of a workspace on the search path of this process', () => {
  const workspace = makeFolder()
  const before = process.env['PATH']
  onTestFinished(() => {
    process.env['PATH'] = before
  })
  process.env['PATH'] = `node_modules/.bin:${workspace}/bin:/usr/bin`
  leaveCheckout([workspace])
  expect(process.env['PATH']).toBe('/usr/bin')
})
