/**
 * Crash points: before and after every call of every port. They are made from the ports' own methods, so that a new
 * method is a new point by itself.
 */

/**
 * Where to die: at the `hit`-th time (from 1) that `point` is reached. `of`: only calls count that are about this, the sending of a
 * `question`, the taking in of an `answer`, the commit that has something to `ask`.
 */
export interface Target {
  point: string
  hit: number
  of?: string
}

/** Where a message, a plan, a question, a click, its answer and a report cross: one after the other in one story, each in a life of its own. */
export const crossings: readonly Target[] = [
  { point: 'inbox.accept:after', of: 'message', hit: 1 },
  { point: 'channel.show:after', hit: 1 },
  { point: 'commits.commit:before', of: 'ask', hit: 1 },
  { point: 'commits.commit:after', of: 'ask', hit: 1 },
  { point: 'channel.send:before', of: 'question', hit: 1 },
  { point: 'channel.send:after', of: 'question', hit: 1 },
  { point: 'inbox.accept:before', of: 'answer', hit: 1 },
  { point: 'inbox.accept:after', of: 'answer', hit: 1 },
  { point: 'commits.commit:after', of: 'answered', hit: 1 },
  { point: 'channel.send:after', of: 'final', hit: 1 },
]

/** Names a target so that it can be told from others, and asked for again. */
export const nameOf = ({ point, of, hit }: Target): string =>
  `${point}${of === undefined ? '' : ` of ${of}`} #${hit}`

export interface Points {
  /** For `Around.wrap`. */
  wrap<P extends object>(name: string, port: P): P
  /** Every point that exists, with how often it was reached. */
  counts(): Map<string, number>
}

export interface PointsOptions {
  target: Target | null
  /**
   * Called when the target is reached. Of a process it does not come back; otherwise what it answers takes the place of
   * the call, and `isDead` is true from then on.
   */
  die(): Promise<never>
  isDead(): boolean
  /** Hears what each call answered. */
  watch?(point: string, answer: unknown): void
  /** Replaces a method before it is instrumented. */
  instead?(point: string, method: Method): Method
}

/** What a tool answers at once, without doing anything: no life ends there by itself. */
const questions: readonly string[] = ['looks', 'check', 'offeredIn']

export type Method = (...args: unknown[]) => unknown

/** The methods that clean up also after a simulated death, and cannot write. */
const releasing: readonly string[] = ['wakeups.stop', 'channel.stop']

export function createPoints(options: PointsOptions): Points {
  const { target, die, isDead } = options
  const counts = new Map<string, number>()
  let hits = 0

  /** Null while the instance goes on. */
  function reach(point: string, args: readonly unknown[]): Promise<never> | null {
    if (isDead()) return die()
    counts.set(point, (counts.get(point) ?? 0) + 1)
    if (target?.point !== point || !isOf(target, args)) return null
    hits += 1
    return target.hit === hits ? die() : null
  }

  function instrument(point: string, method: Method): Method {
    counts.set(`${point}:before`, 0)
    counts.set(`${point}:after`, 0)
    return (...args) => {
      if (isDead() && releasing.includes(point)) return method(...args)
      const dead = reach(`${point}:before`, args)
      if (dead !== null) return dead
      const answer = method(...args)
      if (!(answer instanceof Promise)) return reach(`${point}:after`, args) ?? answer
      return answer.then(
        (value) => {
          options.watch?.(point, value)
          return reach(`${point}:after`, args) ?? value
        },
        (error) => {
          throw error
        },
      )
    }
  }

  return {
    counts: () => new Map(counts),
    wrap(name, port) {
      const part = partOf(name, port)
      const methods = new Map<PropertyKey, Method>()
      for (const [key, value] of Object.entries(port)) {
        if (typeof value !== 'function' || questions.includes(key)) continue
        const point = `${part}.${key}`
        const method: Method = (...args) => value.apply(port, args)
        methods.set(key, instrument(point, options.instead?.(point, method) ?? method))
      }
      return new Proxy(port, { get: (held, key) => methods.get(key) ?? Reflect.get(held, key) })
    },
  }
}

/** A delivery and an event are of a kind; a change is of each of its parts. */
function isOf({ of }: Target, args: readonly unknown[]): boolean {
  if (of === undefined) return true
  return args.some((one) => {
    if (typeof one !== 'object' || one === null) return false
    const { body, content, [of]: part } = one as Record<string, unknown>
    return (
      part !== undefined ||
      [body, content].some((held) => (held as { kind?: string } | undefined)?.kind === of)
    )
  })
}

/** The store is wrapped part by part; a part is known by a method that only it has. */
const parts: Readonly<Record<string, string>> = {
  put: 'notes',
  claim: 'leases',
  accept: 'inbox',
  commit: 'commits',
  markRead: 'conversations',
  trace: 'runs',
  next: 'outbox',
  owners: 'memories',
  ofDay: 'usage',
  sendAgain: 'backlog',
  saved: 'artifacts',
  slots: 'schedules',
  due: 'alarms',
  add: 'todos',
  purge: 'retention',
}

function partOf(name: string, port: object): string {
  if (name === 'tool' && 'name' in port) return `tool ${String(port.name)}`
  if (name !== 'store') return name
  const known = Object.keys(parts).find((method) => method in port)
  return (known === undefined ? undefined : parts[known]) ?? 'store'
}
