import { expect, test } from 'vitest'
import { connectTestServers, stubServer } from '../helpers/tools/testMcp.ts'

test('a server gets the folders of the run only where its entry says so', async () => {
  const folders = ['/checkouts/project', '/checkouts/with space']
  const { call, servers } = await connectTestServers(
    { told: stubServer('normal', '', { roots: true }), untold: stubServer() },
    { roots: () => folders },
  )
  const answerOf = async (name: string) => {
    await call(`mcp__${name}__ask`)
    const answers: { id: string; result?: unknown; error?: { code: number } }[] = JSON.parse(
      (await call(`mcp__${name}__answers`)).text,
    )
    return answers.filter(({ id }) => id === 'ask-3').map(({ result, error }) => result ?? error?.code)
  }
  expect(await answerOf('told')).toEqual([
    {
      roots: [
        { uri: 'file:///checkouts/project', name: 'project' },
        { uri: 'file:///checkouts/with%20space', name: 'with space' },
      ],
    },
  ])
  expect(await answerOf('untold')).toEqual([-32601])
  await servers.moved()
})
