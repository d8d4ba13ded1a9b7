import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSkills } from '../../src/context/loadSkills.ts'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

async function load(skills: Readonly<Record<string, string>>) {
  const root = makeFolder()
  for (const [folder, text] of Object.entries(skills)) {
    mkdirSync(join(root, '.claude', 'skills', folder), { recursive: true })
    writeFileSync(join(root, '.claude', 'skills', folder, 'SKILL.md'), text)
  }
  if (Object.keys(skills).length > 0) symlinkSync('/etc', join(root, '.claude', 'skills', 'link'))
  return {
    root,
    ...(await loadSkills([
      { folder: join(root, '.claude'), files: createFileAccess({ roots: [root], forbidden: [] }), prefix: '' },
    ])),
  }
}

describe('loadSkills', () => {
  it('finds no skills in a project without any', async () => {
    expect(await load({})).toMatchObject({ skills: [], warnings: [] })
  })

  it('keeps description and path, by folder name', async () => {
    const { root, skills, warnings } = await load({
      zip: '---\nname: pack\ndescription: Packs things.\n---\n# How',
      ask: '---\ndescription: Asks.\n---\nx',
    })
    expect(warnings).toEqual([])
    expect(skills).toEqual([
      { name: 'ask', description: 'Asks.', path: join(root, '.claude', 'skills', 'ask', 'SKILL.md') },
      { name: 'zip', description: 'Packs things.', path: join(root, '.claude', 'skills', 'zip', 'SKILL.md') },
    ])
  })

  it('warns about unusable skills', async () => {
    const { skills, warnings } = await load({
      a: '---\nname: same\ndescription: x\n---\n',
      b: '---\nname: same\n---\n',
      c: 'no front matter',
      'd e': '---\nname: d\ndescription: y\n---\n',
      e: '---\ndescription: y\ndisable-model-invocation: true\n---\n',
    })
    expect(skills.map((skill) => skill.name)).toEqual(['a'])
    expect(warnings).toHaveLength(3)
    expect(warnings[0]).toContain('it has no description')
  })
})
