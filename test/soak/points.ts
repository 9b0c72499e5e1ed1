/**
 * Crash points: before and after every call of every port. They are made from the ports' own methods, so that a new
 * method is a new point by itself.
 */

/** Where to die: at the `hit`-th time (from 1) that `point` is reached. */
export interface Target {
  point: string
  hit: number
}

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
const questions: readonly string[] = ['looks', 'check']

export type Method = (...args: unknown[]) => unknown

/** The methods that clean up also after a simulated death, and cannot write. */
const releasing: readonly string[] = ['wakeups.stop', 'channel.stop']

export function createPoints(options: PointsOptions): Points {
  const { target, die, isDead } = options
  const counts = new Map<string, number>()

  /** Null while the instance goes on. */
  function reach(point: string): Promise<never> | null {
    if (isDead()) return die()
    const count = (counts.get(point) ?? 0) + 1
    counts.set(point, count)
    return target?.point === point && target.hit === count ? die() : null
  }

  function instrument(point: string, method: Method): Method {
    counts.set(`${point}:before`, 0)
    counts.set(`${point}:after`, 0)
    return (...args) => {
      if (isDead() && releasing.includes(point)) return method(...args)
      const dead = reach(`${point}:before`)
      if (dead !== null) return dead
      const answer = method(...args)
      if (!(answer instanceof Promise)) return reach(`${point}:after`) ?? answer
      return answer.then(
        (value) => {
          options.watch?.(point, value)
          return reach(`${point}:after`) ?? value
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
