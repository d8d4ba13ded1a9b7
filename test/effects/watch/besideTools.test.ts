import { readFileSync, writeFileSync } from 'node:fs'
import { rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EffectsReport } from '../../../src/contracts/effects.ts'
import { namesOf as names, watchedProject as project } from '../../helpers/runs/watchedProject.ts'

describe('a command beside which a tool works', () => {
  it('is not blamed for what comes from a view, but for what it wrote to that since', async () => {
    const { root, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    const [view, gone] = [join(root, '../view'), join(root, '../gone')]
    writeFileSync(view, 'by Edit\n')
    const paths = ['docs/a', 'docs/b'].map((name) => join(root, name))
    const accept = await watch.hold(paths, (path) => (path.endsWith('a') ? view : gone))
    writeFileSync(join(root, 'docs/a'), 'by the server\n')
    accept()
    expect(readFileSync(watch.before()?.(join(root, 'docs/a')) ?? '', 'utf8')).toBe('by Edit\n')
    expect(names(root, await background.settle()).undone).toEqual(['docs/a'])
    expect(watch.before()).toBeUndefined()
    expect(readFileSync(join(root, 'docs/a'), 'utf8')).toBe('by Edit\n')
  })

  it('is not compared while a built-in tool writes: its temporary file stays until the rename', {
    tags: 'long',
  }, async () => {
    const { root, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    const looks: Promise<EffectsReport>[] = []
    await watch.change([join(root, 'docs/a')], async () => {
      await writeFile(join(root, 'docs/a.tmp'), 'by Edit\n')
      looks.push(background.look())
      for (let step = 0; step < 500; step++) await stat(join(root, 'docs/a.tmp'))
      await rename(join(root, 'docs/a.tmp'), join(root, 'docs/a'))
    })
    const reports = [...(await Promise.all(looks)), await background.settle()]
    expect(reports.map((report) => names(root, report))).toEqual(Array(2).fill({ kept: [], leftOut: [], undone: [] }))
    expect(readFileSync(join(root, 'docs/a'), 'utf8')).toBe('by Edit\n')
  })

  it('is not blamed for what a failed tool left behind', { tags: 'long' }, async () => {
    const { root, watch } = project()
    const background = await watch.watch({ access: 'direct', mayChangeGit: false, by: 'server' })
    const change = watch.change([join(root, 'docs/a')], async () => {
      await writeFile(join(root, 'docs/a'), 'half\n')
      throw new Error('no space')
    })
    await expect(change).rejects.toThrow('no space')
    expect(names(root, await background.settle())).toEqual({ kept: [], leftOut: [], undone: [] })
  })
})
