import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Model } from '../../src/agent/ports/model.ts'
import { type Clew, startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { silent } from '../support/silent.ts'
import { createFastClock } from './clock.ts'
import { createScriptedModel, type Gate } from './model.ts'
import { createPoints, type Method, type Points, type Target } from './points.ts'
import { createEffectTools } from './tools.ts'

/** One life of Clew. All of it travels to a child process as JSON. */
export interface LifeOptions {
  redisUrl: string
  /** The story's folder: effects, gates and, for each worker, its data folder. */
  folder: string
  /** Names the data folder; the next life of the same worker takes back at once what this one held (P14). */
  worker: string
  speed: number
  target: Target | null
  /** Where a process leaves how often each point was reached. */
  report?: string
  /** 0 takes any port. */
  port?: number
  roles?: string
  /** Milliseconds that each model call takes, in the time of the story. */
  paceMs?: number
  settings?: Readonly<Record<string, string>>
}

export interface Life {
  clew: Clew
  /** Stops as SIGTERM does. */
  stop(): Promise<void>
  /** Lets go of what a dead life still holds: timers, sockets, connections, its folder. Nothing is written. */
  bury(): Promise<void>
}

/** How this life ends at its target, and what its ports do from then on. */
export interface Death {
  die(): Promise<never>
  isDead(): boolean
  /** Hears what each call of a port answered. */
  watch?(point: string, answer: unknown): void
}

/**
 * Starts the whole of Clew on a real Redis, with its ports instrumented and nothing else changed.
 *
 * @param begun is called before anything is done, with the points of this life.
 */
export async function startLife(
  options: LifeOptions,
  death: Death,
  begun: (points: Points) => void,
): Promise<Life> {
  const { folder, speed, target } = options
  const clock = createFastClock(speed)
  const points = createPoints({
    target,
    ...death,
    instead: (point, method) => altered(point, method, speed),
  })
  begun(points)
  const stoppable: { stop(): Promise<void> }[] = []
  try {
    const clew = await startClew(configOf(options), {
      clock,
      log: silent,
      model: paced(createScriptedModel(passedIn(folder)), (signal) =>
        clock.sleep(options.paceMs ?? 0, signal),
      ),
      tools: createEffectTools(folder),
      wrap(name, port) {
        const wrapped = points.wrap(name, port)
        if ('stop' in wrapped) stoppable.push(wrapped as typeof wrapped & { stop(): Promise<void> })
        return wrapped
      },
    })
    return {
      clew,
      async stop() {
        await clew.stop()
        clock.end()
      },
      async bury() {
        clock.end()
        await clew.stop()
      },
    }
  } catch (error) {
    clock.end()
    for (const part of stoppable) await part.stop().catch(() => undefined)
    throw error
  }
}

function configOf({ redisUrl, folder, worker, port = 0, roles, settings }: LifeOptions) {
  return readConfig({
    REDIS_URL: redisUrl,
    DATA_DIR: join(folder, worker),
    PORT: String(port),
    LOG_LEVEL: 'silent',
    AGENT_STRATEGY: 'step',
    // The Grind of the story is cut by this ceiling, its other tasks are not.
    AGENT_MAX_TOOL_CALLS: '7',
    AGENT_MAX_STEPS: '60',
    AGENT_MAX_MINUTES: '1000',
    // Never reached; that it is looked for, is.
    AGENT_PERSON_TOKENS_PER_DAY: '1000000000',
    AGENT_PERSON_MESSAGES_PER_MINUTE: '100000',
    RETENTION_DAYS: '30',
    ROLES: roles,
    CODING_FOLDER: codingFolder(folder),
    CODING_POLL_MS: '300',
    ...settings,
  })
}

/** Resolves when the story's driver has opened a gate. */
export function passedIn(folder: string) {
  return async (gate: Gate, signal: AbortSignal) => {
    while (!signal.aborted && !existsSync(gateFile(folder, gate))) await wait(5)
  }
}

function paced(model: Model, pace: (signal: AbortSignal) => Promise<void>): Model {
  return {
    name: model.name,
    async call(contract, input, signal) {
      await pace(signal)
      return await model.call(contract, input, signal)
    },
  }
}

/** The story's two differences from production: its time is faster, and a question is sent with an unclear outcome first. */
function altered(point: string, method: Method, speed: number): Method {
  if (point === 'wakeups.wake') return (item, delayMs = 0) => method(item, Number(delayMs) / speed)
  if (point !== 'channel.send') return method
  const unclear = new Set<string>()
  return async (delivery, conversation) => {
    const sent = await method(delivery, conversation)
    const { id, body } = delivery as { id: string; body: { kind: string } }
    if (body.kind !== 'question' || unclear.has(id)) return sent
    unclear.add(id)
    return { kind: 'unknown' }
  }
}

/** What the story's coding agent shares with all lives. */
export const codingFolder = (folder: string) => join(folder, 'desk')

export const gateFile = (folder: string, gate: Gate) => join(folder, `gate-${gate}`)
