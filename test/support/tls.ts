import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/tls', name))

/** A server of this test's whose certificate nobody trusts; the port. */
export async function startUntrusted(): Promise<number> {
  const server = createServer({ key: pem('key.pem'), cert: pem('certificate.pem') }, (socket) =>
    socket.destroy(),
  )
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
