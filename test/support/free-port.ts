import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A loopback port that nobody listens on just now, for servers that come back to the same one. It lies below those that systems
 * give to outgoing connections: a client that knocks again and again while its server is away would at some time get the
 * server's port as its own, connect to itself, and keep the server out.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const server = createServer().listen(20_000 + Math.floor(Math.random() * 10_000), '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    const address = server.address()
    server.close()
    await once(server, 'close')
    if (typeof address === 'object' && address !== null) return address.port
  }
  throw new Error('no free port was found')
}
