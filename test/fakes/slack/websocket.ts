import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** One open socket, seen from the server's side. */
export interface ServerSocket {
  send(text: string): void
  /** Says goodbye as the protocol wants it. */
  close(code?: number): void
  /** Cuts the line without a word. */
  cut(): void
  onText(handle: (text: string) => void): void
  onClose(handle: () => void): void
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

/** As much of RFC 6455 as Slack's Socket Mode needs: text in one frame each way, pings both ways, closing. */
export function acceptSocket(request: IncomingMessage, wire: Duplex, pingMs: number): ServerSocket {
  const key = String(request.headers['sec-websocket-key'])
  const accept = createHash('sha1')
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  wire.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  const texts: ((text: string) => void)[] = []
  const closings: (() => void)[] = []
  let closed = false
  let rest: Buffer = Buffer.alloc(0)

  const write = (opcode: number, payload: Buffer) => {
    if (!closed && wire.writable) wire.write(frame(opcode, payload))
  }
  const end = () => {
    if (closed) return
    closed = true
    clearInterval(pinging)
    wire.destroy()
    for (const handle of closings) handle()
  }
  const pinging = setInterval(() => write(opcodes.ping, Buffer.from('ping')), pingMs)
  wire.on('error', end)
  wire.on('close', end)
  wire.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let read = readFrame(rest); read !== null; read = readFrame(rest)) {
      rest = rest.subarray(read.length)
      if (read.opcode === opcodes.text)
        for (const handle of texts) handle(read.payload.toString('utf8'))
      if (read.opcode === opcodes.ping) write(opcodes.pong, read.payload)
      if (read.opcode === opcodes.close) {
        write(opcodes.close, read.payload)
        setImmediate(end)
      }
    }
  })
  return {
    send: (text) => write(opcodes.text, Buffer.from(text)),
    close(code = 1000) {
      const payload = Buffer.alloc(2)
      payload.writeUInt16BE(code)
      write(opcodes.close, payload)
    },
    cut: end,
    onText: (handle) => void texts.push(handle),
    onClose: (handle) => void closings.push(handle),
  }
}

function frame(opcode: number, payload: Buffer): Buffer {
  const first = 0x80 | opcode
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload])
  if (payload.length < 65_536) {
    const head = Buffer.from([first, 126, 0, 0])
    head.writeUInt16BE(payload.length, 2)
    return Buffer.concat([head, payload])
  }
  const head = Buffer.alloc(10)
  head.set([first, 127])
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

function readFrame(data: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (data.length < 2) return null
  const opcode = (data[0] ?? 0) & 0x0f
  const masked = ((data[1] ?? 0) & 0x80) !== 0
  let size = (data[1] ?? 0) & 0x7f
  let at = 2
  if (size === 126) {
    if (data.length < 4) return null
    size = data.readUInt16BE(2)
    at = 4
  } else if (size === 127) {
    if (data.length < 10) return null
    size = Number(data.readBigUInt64BE(2))
    at = 10
  }
  const mask = masked ? data.subarray(at, at + 4) : null
  if (masked) at += 4
  if (data.length < at + size) return null
  const payload = Buffer.from(data.subarray(at, at + size))
  if (mask !== null)
    for (let index = 0; index < size; index++)
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0)
  return { opcode, payload, length: at + size }
}
