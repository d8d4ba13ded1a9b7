import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { wordsIn } from '../../lib/text/words.ts'
import { hasAdminCapability } from '../bubblewrapArguments.ts'

const START_MS = 10_000

/** Runs in the network namespace and forwards every connection to the proxy, whose socket file is the only way out. */
const BRIDGE = `const net = require('node:net')
net.createServer((client) => {
  const proxy = net.connect(process.argv[1])
  client.on('error', () => proxy.destroy()).on('close', () => proxy.destroy())
  proxy.on('error', () => client.destroy()).on('close', () => client.destroy())
  client.pipe(proxy).pipe(client)
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/**
 * Keeps a network namespace open while no child is in it. It has only a loopback interface, and a bridge to a proxy's
 * socket file if there is one. It ends with this process, however that ends. Throws with the message of bwrap.
 */
export async function openNetworkNamespace(bwrap: string, proxySocket: string | undefined) {
  // With `--dev`, bwrap would nest a second user namespace, from which the network cannot be entered.
  const work =
    proxySocket === undefined
      ? ['sh', '-c', 'echo; exec sleep 2147483647']
      : [process.execPath, '-e', BRIDGE, proxySocket]
  const user = hasAdminCapability() ? [] : ['--unshare-user']
  const terms = [...user, ...wordsIn('--unshare-net --die-with-parent --dev-bind / / --info-fd 3 --')]
  const child = spawn(bwrap, [...terms, ...work], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true },
  })
  try {
    const [info, line] = await Promise.all([text(child.stdio[3] as Readable), firstLine(child)])
    const { 'child-pid': pid } = JSON.parse(info) as { 'child-pid': number }
    detach(child)
    return {
      /** Other processes enter the namespace through it. */
      pid,
      /** Where the bridge listens inside; undefined without a bridge. */
      port: proxySocket === undefined ? undefined : Number(line),
      end: () => void child.kill('SIGKILL'),
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = ''
    const timer = setTimeout(() => reject(new Error('it was not ready in time')), START_MS)
    child.stderr?.on('data', (chunk) => (errors += String(chunk)))
    child.once('error', reject)
    child.once('close', () => reject(new Error(errors.trim() || 'it ended at once')))
    createInterface({ input: child.stdout as Readable }).once('line', (line) => {
      clearTimeout(timer)
      resolve(line)
    })
  })
}

/** It must not keep this process alive. */
function detach(child: ChildProcess): void {
  child.unref()
  for (const stream of child.stdio) stream?.destroy()
}
