import { type AddressInfo, createServer } from 'node:net'
import { connect } from 'node:tls'

/** What a TLS client of Node sends first. */
export async function helloFor(servername: string): Promise<Buffer> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const received = new Promise<Buffer>((resolve) => {
    server.once('connection', (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (chunk) => {
        socket.destroy()
        resolve(chunk)
      })
    })
  })
  connect({ host: '127.0.0.1', port, servername }).on('error', () => undefined)
  const hello = await received
  server.close()
  return hello
}
