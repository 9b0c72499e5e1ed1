import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A TCP line that can be disturbed, between a client and a server on this machine. */
export interface FaultProxy {
  readonly port: number
  /** How long what the server says is on its way, in milliseconds. */
  delay(ms: number): void
  /** Breaks every connection, both ways. */
  reset(): void
  /** From now on what the server says is lost; a `reset` ends that. The server still hears and acts. */
  deafen(): void
  /** Refuses new connections and breaks the old ones, until `up`. */
  down(): void
  up(): void
  /** Leads new connections to another server, as an address does after a failover; old ones stay open. */
  lead(port: number): void
  /** Loses what the server says on the connections of now, which stay open; new ones are served. */
  mute(): void
  stop(): Promise<void>
}

export async function startProxy(target: number): Promise<FaultProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const muted = new WeakSet<Socket>()
  let port = target
  let delayMs = 0
  let isDeaf = false
  let isDown = false

  const server = createServer((client) => {
    if (isDown) return void client.destroy()
    const upstream = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    pairs.add(pair)
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end)
    client.on('data', (chunk) => upstream.write(chunk))
    let before = Promise.resolve()
    upstream.on('data', (chunk) => {
      if (isDeaf || muted.has(client)) return
      // One after the other, so that a shorter delay overtakes nothing.
      before = before
        .then(() => (delayMs === 0 ? undefined : wait(delayMs)))
        .then(() => void client.write(chunk))
    })
  })
  function reset(): void {
    isDeaf = false
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  return {
    port: address.port,
    reset,
    delay(ms) {
      delayMs = ms
    },
    deafen() {
      isDeaf = true
    },
    down() {
      isDown = true
      reset()
    },
    up() {
      isDown = false
    },
    lead(to) {
      port = to
    },
    mute() {
      for (const [client] of pairs) muted.add(client)
    },
    async stop() {
      reset()
      server.close()
      await once(server, 'close')
    },
  }
}
