import { describe, expect, it } from 'vitest'
import { surveyWorkspaces, walkFolders } from '../../../src/sandbox/mounts/surveyWorkspaces.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const sorted = (top: string, paths: readonly string[]) => paths.map((path) => path.slice(top.length + 1)).sort()

describe('a survey of the workspaces', () => {
  it('finds secrets by their names: files, links and whole folders, and looks into none', () => {
    const top = makeFiles({
      ...{ 'a.txt': '', 'src/.env': '', 'src/.netrc': '', 'src/deep/id_rsa': '', 'keys/.ENV.local': '' },
      'link/.env': '-> ../nowhere',
      ...{ 'home/.ssh/id_ed25519': '', 'home/.ssh/deep/id_rsa': '', 'folder/.env/inside': '' },
    })
    const { secrets, leftovers, repositories } = surveyWorkspaces([top])
    expect(sorted(top, secrets)).toEqual([
      ...['home/.ssh', 'keys/.ENV.local', 'link/.env', 'src/.env', 'src/.netrc', 'src/deep/id_rsa'],
    ])
    expect([leftovers, repositories]).toEqual([[], []])
  })

  it('finds none in what git and package managers keep for themselves', () => {
    const top = makeFiles({
      '.git/.env': '',
      'node_modules/x/.env': '',
      'a/node_modules/y/.env': '',
      'a/.git/.env': '',
    })
    expect(surveyWorkspaces([top]).secrets).toEqual([])
  })

  it('finds the repositories below a workspace, by a folder or a file, but not its own', () => {
    const top = makeFiles({ '.git/HEAD': '', 'lib/.git/HEAD': '', 'tree/.git': 'gitdir: x', 'tree/a/.git': '-> ../x' })
    expect(sorted(top, surveyWorkspaces([top]).repositories)).toEqual(['lib', 'tree', 'tree/a'])
  })

  it('finds what a killed run left, and never takes it for a secret', () => {
    const name = '.0123456789ab.kode-run.tmp'
    const top = makeFiles({ [`a/${name}`]: '', [`b/${name}/`]: '', 'c/x.kode-run.tmp': '' })
    const survey = surveyWorkspaces([top], (path, kind) => kind === 'file' && path.endsWith('.tmp'))
    expect([sorted(top, survey.leftovers), sorted(top, survey.secrets)]).toEqual([[`a/${name}`], ['c/x.kode-run.tmp']])
  })

  it('asks about each file and folder once, and enters none that is hidden', () => {
    const top = makeFiles({ 'a/b/c': '', 'a/hidden/x': '', 'a/.git': '', d: '' })
    const asked: string[] = []
    const survey = surveyWorkspaces([top], (path, kind) => {
      asked.push(`${kind} ${path.slice(top.length + 1)}`)
      return path.endsWith('hidden')
    })
    expect(asked.sort()).toEqual(['file a/b/c', 'file d', 'folder a', 'folder a/b', 'folder a/hidden'])
    expect(sorted(top, survey.secrets)).toEqual(['a/hidden'])
  })

  it('looks into each workspace', () => {
    const [one, other] = [makeFiles({ '.env': '' }), makeFiles({ '.env': '' })]
    expect(surveyWorkspaces([one, other]).secrets).toEqual([`${one}/.env`, `${other}/.env`])
  })
})

it('a walk passes a folder that is not there, and a link', () => {
  const top = makeFiles({ 'a/x': '', b: '-> a' })
  expect([...walkFolders(top, () => false)].map(({ path }) => path)).toEqual([top, `${top}/a`])
  expect([...walkFolders(`${top}/none`, () => false)]).toEqual([{ path: `${top}/none`, entries: [] }])
})
