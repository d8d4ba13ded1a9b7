import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as SocketServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** The address of a server that listens on this machine until the test ends. */
export async function listenHere(server: Server): Promise<string> {
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${await portHere(server)}`
}

/** The port of any server that listens on this machine until the test ends. */
export async function portHere(server: SocketServer): Promise<number> {
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A port of this machine at which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
