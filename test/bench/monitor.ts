import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Redis } from 'ioredis'

/** Hears every command but those of scripts. On a bare socket: the client's own `monitor` breaks when one comes in with the OK. */
export async function monitor(
  { options }: Redis,
  hear: (args: string[]) => void,
): Promise<() => void> {
  const socket = connect(options.port ?? 6379, options.host ?? '127.0.0.1')
  await once(socket, 'connect')
  const lines = createInterface(socket)
  lines.on('line', (line) => {
    const [, source, said] = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/.exec(line) ?? []
    if (said !== undefined && source !== 'lua')
      hear(Array.from(said.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, arg = '']) => arg))
  })
  socket.write('MONITOR\r\n')
  await once(lines, 'line')
  return () => socket.destroy()
}
