import { expect, it, onTestFinished } from 'vitest'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { runCli } from '../helpers/runs/cliRun.ts'

it.skipIf(process.platform !== 'linux')(
  '--prompt-file <(command) is read to its end, and reaches no child (needs Linux)',
  { tags: 'long' },
  async () => {
    const call = { turn: { tools: [{ name: 'Bash', input: { command: 'ls /proc/self/fd; cat <&63' } }] } }
    const server = await startMessagesServer([call, { turn: { say: 'done' } }])
    onTestFinished(() => server.close())
    const through = ['bash', '-c', 'exec "$@" --prompt-file <(echo Mend; sleep 0.2; echo this.)', 'bash']
    const { code, records, stderr, toolResults } = await runCli([], {
      ...{ server, through },
      policy: 'version: 1\npermissions: { allow: [Bash] }\nsandbox: { mode: off }\n',
    })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('regular file')])
    expect(records[0]).toMatchObject({ prompt: expect.stringMatching(/^Mend\nthis\.\n?$/) })
    expect(toolResults()[0]).toContain('63: Bad file descriptor')
  },
)
