import type { Socket } from 'node:net'

/** Valkey indexes its event table by descriptor, and the build keeps everything below this number for real files. */
const FIRST_DESCRIPTOR = 4096
/** The event table has room for about 6,000 descriptors above the first; beyond this new connections are refused. */
const MOST_CONNECTIONS = 5000
/** A client that leaves this much unread is cut off before it fills the memory. */
const MOST_UNSENT_BYTES = 64 << 20
const READABLE = 1
const WRITABLE = 2
const PAIR_BYTES = 8

/** The far end of a descriptor: a TCP client, or the host itself. */
interface Peer {
  /** Takes the bytes in any case; `false` means that it is congested from now on. */
  send(bytes: Buffer): boolean
  close(): void
}

/** What the engine sees of one connection. */
interface Line {
  peer: Peer
  received: Buffer[]
  /** How much of the first received buffer was read already. */
  offset: number
  /** The client will send nothing more; it may still read. */
  ended: boolean
  congested: boolean
}

/** A connection made by the host within the process, without TCP. */
export interface LocalConnection {
  send(bytes: Buffer): void
  /** Everything that was answered since the last call. */
  take(): string
}

export interface Sockets {
  /** The module `host` that the engine imports: its whole view of the network. */
  readonly imports: Readonly<Record<string, (...values: number[]) => number>>
  connect(socket: Socket): void
  connectLocally(): LocalConnection
  /** Whether the engine found something to do when it looked last. */
  busy(): boolean
  closeAll(): void
}

/**
 * Bridges the engine's sockets to Node's.
 *
 * Descriptors are handed out again after they were closed: the engine's event table is small, and a counter that only
 * rises ends the server after about 6,000 connections.
 *
 * @param memory the engine's memory as it is now; it moves when it grows.
 * @param onEvent called when the engine has something to look at.
 */
export function createSockets(memory: () => Buffer, onEvent: () => void): Sockets {
  const lines: (Line | undefined)[] = []
  const free: number[] = []
  const waiting: number[] = []
  let listener = -1
  let fired = 0

  const lineAt = (descriptor: number): Line | undefined => lines[descriptor - FIRST_DESCRIPTOR]

  function allocate(line: Line | undefined): number {
    const index = free.pop() ?? lines.length
    lines[index] = line
    return index + FIRST_DESCRIPTOR
  }

  function readiness(descriptor: number, interest: number): number {
    if (descriptor === listener) return waiting.length > 0 ? interest & READABLE : 0
    const line = lineAt(descriptor)
    if (!line) return 0
    const readable = line.received.length > 0 || line.ended ? interest & READABLE : 0
    const writable = line.congested ? 0 : interest & WRITABLE
    return readable | writable
  }

  const imports = {
    socket: () => allocate(undefined),
    listen(descriptor: number) {
      listener = descriptor
      return 0
    },
    accept: () => waiting.shift() ?? -1,
    read(descriptor: number, pointer: number, length: number) {
      const line = lineAt(descriptor)
      if (!line) return -1
      return line.received.length === 0 && !line.ended ? -1 : receive(line, memory(), pointer, length)
    },
    write(descriptor: number, pointer: number, length: number) {
      const line = lineAt(descriptor)
      if (!line) return -1
      if (!line.peer.send(Buffer.from(memory().subarray(pointer, pointer + length)))) line.congested = true
      return length
    },
    close(descriptor: number) {
      const line = lineAt(descriptor)
      lines[descriptor - FIRST_DESCRIPTOR] = undefined
      free.push(descriptor - FIRST_DESCRIPTOR)
      line?.peer.close()
      return 0
    },
    poll(interests: number, count: number, results: number, most: number) {
      const view = memory()
      fired = 0
      for (let index = 0; index < count && fired < most; index++) {
        const descriptor = view.readInt32LE(interests + index * PAIR_BYTES)
        const ready = readiness(descriptor, view.readInt32LE(interests + index * PAIR_BYTES + 4))
        if (ready === 0) continue
        view.writeInt32LE(descriptor, results + fired * PAIR_BYTES)
        view.writeInt32LE(ready, results + fired * PAIR_BYTES + 4)
        fired++
      }
      return fired
    },
  }

  function connect(socket: Socket): void {
    if (lines.length - free.length >= MOST_CONNECTIONS) {
      socket.destroy()
      return
    }
    const line: Line = { peer: tcpPeer(socket), received: [], offset: 0, ended: false, congested: false }
    const end = (): void => {
      line.ended = true
      onEvent()
    }
    socket.on('data', (bytes) => {
      line.received.push(bytes)
      onEvent()
    })
    socket.on('drain', () => {
      line.congested = false
      onEvent()
    })
    socket.on('end', end)
    socket.on('close', end)
    socket.on('error', end)
    waiting.push(allocate(line))
    onEvent()
  }

  function connectLocally(): LocalConnection {
    const answers: Buffer[] = []
    const peer: Peer = { send: (bytes) => answers.push(bytes) > 0, close: () => undefined }
    const line: Line = { peer, received: [], offset: 0, ended: false, congested: false }
    waiting.push(allocate(line))
    return {
      send: (bytes) => void line.received.push(bytes),
      take: () => Buffer.concat(answers.splice(0)).toString('latin1'),
    }
  }

  return {
    imports,
    connect,
    connectLocally,
    busy: () => fired > 0,
    closeAll() {
      for (const line of lines) line?.peer.close()
    },
  }
}

/** Copies what was received into the engine's memory; 0 means that the client has closed. */
function receive(line: Line, memory: Buffer, pointer: number, length: number): number {
  let copied = 0
  while (copied < length) {
    const head = line.received[0]
    if (!head) break
    const taken = head.copy(memory, pointer + copied, line.offset, line.offset + length - copied)
    copied += taken
    line.offset += taken
    if (line.offset < head.length) break
    line.received.shift()
    line.offset = 0
  }
  return copied
}

function tcpPeer(socket: Socket): Peer {
  return {
    send(bytes) {
      if (socket.writableLength > MOST_UNSENT_BYTES) socket.destroy()
      return socket.writable ? socket.write(bytes) : true // the engine is about to read that the client has left
    },
    close: () => socket.destroySoon(), // after what was answered has left
  }
}
