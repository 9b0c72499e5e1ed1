import type { Socket } from 'node:net'

/**
 * First descriptor of a socket. Valkey indexes its event table by descriptor, and the build keeps
 * lower ones for real files.
 */
const FIRST_DESCRIPTOR = 4096
/**
 * Connections beyond which new ones are refused: the event table has room for about 6,000
 * descriptors above the first.
 */
const MOST_CONNECTIONS = 5000
/** Unread bytes at which a client is disconnected, before it fills the memory. */
const MOST_UNSENT_BYTES = 64 << 20
const READABLE = 1
const WRITABLE = 2
const PAIR_BYTES = 8

/** A connection as the engine sees it. */
interface Line {
  received: Buffer[]
  /** True once the client will send nothing more; it may still read. */
  ended: boolean
  congested: boolean
  /** Buffers the bytes in any case; `false` means that the connection is congested from now on. */
  send(bytes: Buffer): boolean
  close(): void
}

const newLine = (peer: Pick<Line, 'send' | 'close'>): Line => ({
  received: [],
  ended: false,
  congested: false,
  ...peer,
})

export type Sockets = ReturnType<typeof createSockets>
/** A connection made by the host within the process, without TCP. */
export type LocalConnection = ReturnType<Sockets['connectLocally']>

/**
 * Bridges the engine's sockets to Node's.
 *
 * @param memory the engine's memory as it is now; it moves when it grows.
 */
export function createSockets(memory: () => Buffer) {
  const table = createTable()
  return {
    /** The module `host` that the engine imports: its whole view of the network. */
    imports: hostModule(table, memory),
    /**
     * Connects a client.
     *
     * @param onEvent called when the client has sent something or disconnected.
     */
    connect(socket: Socket, onEvent: () => void): void {
      if (table.lines.size >= MOST_CONNECTIONS) return void socket.destroy()
      table.open(clientLine(socket, onEvent))
      onEvent()
    },
    connectLocally() {
      const answers: Buffer[] = []
      const line = newLine({ send: (bytes) => answers.push(bytes) > 0, close: () => undefined })
      table.open(line)
      return {
        send: (bytes: Buffer): void => void line.received.push(bytes),
        /** Returns everything answered since the last call. */
        take: () => Buffer.concat(answers.splice(0)).toString('latin1'),
      }
    },
    /** True if the engine found something to do at its last poll. */
    busy: () => table.fired > 0,
    closeAll() {
      for (const line of table.lines.values()) line.close()
    },
  }
}

type Table = ReturnType<typeof createTable>

/**
 * The connections by descriptor. Closed descriptors are used again: with a counter that only rises,
 * the engine's small event table would be full after about 6,000 connections.
 */
function createTable() {
  const lines = new Map<number, Line>()
  /** Connections that the engine has not accepted yet. */
  const waiting: number[] = []
  const free: number[] = []
  let next = FIRST_DESCRIPTOR
  const allocate = () => free.pop() ?? next++
  return {
    lines,
    waiting,
    listener: -1,
    /** Number of connections that were ready at the engine's last poll. */
    fired: 0,
    allocate,
    open(line: Line) {
      const descriptor = allocate()
      lines.set(descriptor, line)
      waiting.push(descriptor)
    },
    close(descriptor: number) {
      const line = lines.get(descriptor)
      lines.delete(descriptor)
      free.push(descriptor)
      line?.close()
    },
  }
}

function hostModule(
  table: Table,
  memory: () => Buffer,
): Readonly<Record<string, (...values: number[]) => number>> {
  return {
    socket: table.allocate,
    listen(descriptor) {
      table.listener = descriptor
      return 0
    },
    accept: () => table.waiting.shift() ?? -1,
    read(descriptor, pointer, length) {
      const line = table.lines.get(descriptor)
      if (!line || (line.received.length === 0 && !line.ended)) return -1
      return receive(line, memory(), pointer, length)
    },
    write(descriptor, pointer, length) {
      const line = table.lines.get(descriptor)
      if (!line) return -1
      if (!line.send(Buffer.from(memory().subarray(pointer, pointer + length))))
        line.congested = true
      return length
    },
    close(descriptor) {
      table.close(descriptor)
      return 0
    },
    poll(interests, count, results, most) {
      const view = memory()
      table.fired = 0
      for (let index = 0; index < count && table.fired < most; index++) {
        const descriptor = view.readInt32LE(interests + index * PAIR_BYTES)
        const ready = readiness(
          table,
          descriptor,
          view.readInt32LE(interests + index * PAIR_BYTES + 4),
        )
        if (ready === 0) continue
        view.writeInt32LE(descriptor, results + table.fired * PAIR_BYTES)
        view.writeInt32LE(ready, results + table.fired * PAIR_BYTES + 4)
        table.fired++
      }
      return table.fired
    },
  }
}

function readiness(table: Table, descriptor: number, interest: number): number {
  if (descriptor === table.listener) return table.waiting.length > 0 ? interest & READABLE : 0
  const line = table.lines.get(descriptor)
  if (!line) return 0
  const readable = line.received.length > 0 || line.ended ? interest & READABLE : 0
  const writable = line.congested ? 0 : interest & WRITABLE
  return readable | writable
}

/** Copies received bytes into the engine's memory; 0 means that the client has closed. */
function receive({ received }: Line, memory: Buffer, pointer: number, length: number): number {
  let copied = 0
  while (copied < length && received[0]) {
    const head = received[0]
    const taken = head.copy(memory, pointer + copied, 0, length - copied)
    copied += taken
    if (taken < head.length) received[0] = head.subarray(taken)
    else received.shift()
  }
  return copied
}

function clientLine(socket: Socket, onEvent: () => void): Line {
  const line = newLine({
    send(bytes) {
      if (socket.writableLength > MOST_UNSENT_BYTES) socket.destroy()
      return socket.writable ? socket.write(bytes) : true // the engine is about to read that the client has closed
    },
    close: () => socket.destroySoon(), // once the answers are sent
  })
  socket.on('data', (bytes) => {
    line.received.push(bytes)
    onEvent()
  })
  socket.on('drain', () => {
    line.congested = false
    onEvent()
  })
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      line.ended = true
      onEvent()
    })
  }
  return line
}
