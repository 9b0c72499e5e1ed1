import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** One open connection, as a server sees it: whole text messages in, whole text messages out. */
export interface Socket {
  send(text: string): void
  /** Ends it as the protocol wants it, with a code that the client can read. */
  close(code: number, reason?: string): void
  /** Ends it as a cable does that is pulled out. */
  cut(): void
}

/** What happens on a connection. `closed` is called once, however it ended; the code is null without a close frame. */
export interface Listener {
  message(text: string): void
  closed(code: number | null): void
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const

/**
 * Answers an upgrade request of node:http as RFC 6455 wants it: enough of a WebSocket server for fakes of platforms, with
 * text messages in any number of frames, pings and close codes. No compression is agreed to.
 */
export function acceptSocket(
  request: IncomingMessage,
  stream: Duplex,
  listen: (socket: Socket) => Listener,
): void {
  const key = request.headers['sec-websocket-key']
  if (key === undefined) return void stream.destroy()
  const accept = createHash('sha1')
    .update(key + guid)
    .digest('base64')
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )

  let open = true
  let code: number | null = null
  const write = (opcode: number, payload: Buffer) => {
    if (open && stream.writable)
      stream.write(Buffer.concat([header(opcode, payload.length), payload]))
  }
  const listener = listen({
    send: (text) => write(opcodes.text, Buffer.from(text)),
    close(with_, reason = '') {
      write(
        opcodes.close,
        Buffer.concat([Buffer.from([with_ >> 8, with_ & 255]), Buffer.from(reason)]),
      )
      open = false
      stream.end()
    },
    cut() {
      open = false
      stream.destroy()
    },
  })

  let buffered = Buffer.alloc(0)
  let parts: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (let frame = frameIn(buffered); frame !== null; frame = frameIn(buffered)) {
      buffered = buffered.subarray(frame.length)
      if (frame.opcode === opcodes.close) {
        code = frame.payload.length >= 2 ? frame.payload.readUInt16BE(0) : null
        write(opcodes.close, frame.payload.subarray(0, 2))
        open = false
        stream.end()
      } else if (frame.opcode === opcodes.ping) write(opcodes.pong, frame.payload)
      else if (frame.opcode === opcodes.text || frame.opcode === opcodes.continuation) {
        parts.push(frame.payload)
        if (!frame.final) continue
        const text = Buffer.concat(parts).toString()
        parts = []
        listener.message(text)
      }
    }
  })
  stream.on('error', () => undefined)
  stream.once('close', () => {
    open = false
    listener.closed(code)
  })
}

function header(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([128 | opcode, length])
  if (length < 65_536) return Buffer.from([128 | opcode, 126, length >> 8, length & 255])
  const long = Buffer.alloc(10)
  long[0] = 128 | opcode
  long[1] = 127
  long.writeBigUInt64BE(BigInt(length), 2)
  return long
}

/** The first frame in `bytes`, unmasked; null while it is not all there. */
function frameIn(
  bytes: Buffer,
): { final: boolean; opcode: number; payload: Buffer; length: number } | null {
  if (bytes.length < 2) return null
  const [first = 0, second = 0] = bytes
  const short = second & 127
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0
  const masked = (second & 128) !== 0
  const start = 2 + extended + (masked ? 4 : 0)
  if (bytes.length < start) return null
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + size) return null
  const mask = bytes.subarray(start - 4, start)
  const payload = Buffer.from(bytes.subarray(start, start + size))
  if (masked)
    for (let index = 0; index < size; index++)
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0)
  return { final: (first & 128) !== 0, opcode: first & 15, payload, length: start + size }
}
