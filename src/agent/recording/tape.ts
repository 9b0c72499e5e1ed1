import type { ContractName } from '../contracts.ts'
import type { DriveDeps } from '../drive/session.ts'
import { createUsageWarning } from '../kernel/usage-warning.ts'
import type { RequestText } from '../model/request-text.ts'
import type { ThreadReading } from '../ports/channel.ts'
import type { TurnDeps } from '../turn.ts'

/** Dependencies of the work that can be recorded: turns and runs. */
export type Recordable = DriveDeps & TurnDeps

/**
 * Everything that reaches the work on a run from outside: a recorder writes it down, a player
 * answers from what was written.
 *
 * Contract: what comes in while nothing else happens comes in alone: the work goes on as far as it
 * can before the next.
 */
export interface Tape {
  /** Answer of a port. `asked`: the request, of a model. */
  call<T>(
    name: string,
    live: () => Promise<T>,
    asked?: { contract: ContractName; text: string },
  ): Promise<T>
  /** Answer of a port that is there at once. */
  value<T>(name: string, live: () => T): T
  /** Returns what tells the work of something that happens outside: a tick, a nudge, the stop. */
  event(name: string, heard: () => void | Promise<void>): () => Promise<void>
}

/**
 * The ports of turns and runs, with every answer by the tape. What only shows (drafts, log,
 * tracing) is left as it is, and so are images and those who look at them.
 */
export function onTape(deps: Recordable, tape: Tape, textOf: RequestText): Recordable {
  const port = <P extends object>(name: string, part: P) =>
    new Proxy(part, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) =>
          tape.call(`${name}.${String(key)}`, () => Reflect.apply(method, target, args))
      },
    })
  const { store, clock, model, nudges, coding, library, team, profileIn, tests } = deps
  const profile =
    profileIn && ((channel: string) => tape.value('profile', () => profileIn(channel)))
  let timers = 0
  const taped = {
    ...deps,
    leases: port('leases', deps.leases),
    wakeups: port('wakeups', deps.wakeups),
    nudges: {
      has: (name: string) => tape.value('nudged', () => nudges.has(name)),
      set: (name: string, nudge: () => void) => nudges.set(name, tape.event('nudge', nudge)),
      delete: (name: string) => nudges.delete(name),
    },
    store: {
      runs: port('runs', store.runs),
      conversations: port('conversations', store.conversations),
      commits: port('commits', store.commits),
      usage: port('usage', store.usage),
      notes: port('notes', store.notes),
      approvals: port('approvals', store.approvals),
      artifacts: port('artifacts', store.artifacts),
      inbox: port('inbox', store.inbox),
    },
    clock: {
      now: () => tape.value('now', clock.now),
      randomId: () => tape.value('id', clock.randomId),
      sleep: (ms: number, signal?: AbortSignal) =>
        tape.call('sleep', () => clock.sleep(ms, signal)),
      every: (ms: number, tick: () => Promise<void>) =>
        clock.every(ms, tape.event(`tick ${timers++}`, tick)),
    },
    model: {
      ...model,
      call: ((contract, input, ...how) =>
        tape.call('model', () => model.call(contract, input, ...how), {
          contract,
          text: textOf(contract, input),
        })) satisfies typeof model.call,
    },
    toolbox: toolboxOn(tape, deps.toolbox),
    recall: ((...asked) =>
      tape.call('recall', () => deps.recall(...asked))) satisfies typeof deps.recall,
    placeOf: ((...asked) =>
      tape.call('place', () => deps.placeOf(...asked))) satisfies typeof deps.placeOf,
    timesIn: (workspace: string) => tape.value('times', () => deps.timesIn(workspace)),
    team: team && ((channel: string) => tape.value('team', () => team(channel))),
    ...(profile && { profileIn: profile, answersTo: { ...deps.answersTo, profileIn: profile } }),
    tests: tests && port('tests', tests),
    quiet: port('quiet', deps.quiet),
    commands: commandsOn(tape, deps.commands),
    channelOf: channelsOn(tape, deps.channelOf),
    freeSlots: () => tape.value('free slots', deps.freeSlots),
    coding: coding && { ...coding, folder: port('coding', coding.folder) },
    library: library && port('library', library),
  }
  return { ...taped, warnOfUsage: createUsageWarning(taped) }
}

/** Tools as they were offered; each call of one is a call of a port. */
function toolboxOn(tape: Tape, toolbox: DriveDeps['toolbox']): DriveDeps['toolbox'] {
  return {
    names: () => toolbox.names(),
    cards: (asking) => tape.value('cards', () => toolbox.cards(asking)),
    hides: (name, asking) => tape.value(`hides ${name}`, () => toolbox.hides(name, asking)),
    get(name, asking) {
      const live = () => {
        const tool = toolbox.get(name, asking)
        if (tool === null) throw new Error(`the tool ${name} is gone`)
        return tool
      }
      const known = tape.value(`tool ${name}`, () => {
        const found = toolbox.get(name, asking)
        if (found === null) return null
        const { run: _run, readOnly: _half, check, looks, addressIn, ...rest } = found
        return { ...rest, has: { check: !!check, looks: !!looks, addressIn: !!addressIn } }
      })
      if (known === null) return null
      const { has, ...tool } = known
      const at = (what: string) => `${what} ${name}`
      return {
        ...tool,
        run: (...asked) => tape.call(at('run'), () => live().run(...asked)),
        ...(has.check && {
          check: (input: string) => tape.value(at('check'), () => live().check?.(input) ?? null),
        }),
        ...(has.looks && {
          looks: (input: string) => tape.value(at('looks'), () => live().looks?.(input) ?? false),
        }),
        ...(has.addressIn && {
          addressIn: (input: string) =>
            tape.value(at('address'), () => live().addressIn?.(input) ?? null),
        }),
      }
    },
  }
}

/** Commands as they were understood; running one is a call of a port. */
const commandsOn = (tape: Tape, commands: Recordable['commands']): Recordable['commands'] => ({
  all: commands.all,
  parse(...said) {
    const live = () => commands.parse(...said)
    const known = tape.value('command', () => {
      const found = live()
      return found && { name: found.name }
    })
    if (known == null) return null
    return {
      ...known,
      run: (context) =>
        tape.call('run command', async () => {
          const found = live()
          if (found === null) throw new Error('the command is gone')
          return await found.run(context)
        }),
    }
  },
})

/** Channels, as far as a turn reads them. */
const channelsOn =
  (tape: Tape, channelOf: Recordable['channelOf']): Recordable['channelOf'] =>
  (platform) => {
    const channel = channelOf(platform)
    const has = tape.value(`channel ${platform}`, () => ({
      attachments: channel?.attachments !== undefined,
      readThread: channel?.readThread !== undefined,
    }))
    return {
      ...(has.attachments && {
        attachments: (...asked) =>
          tape.call('attachments', async () => (await channel?.attachments?.(...asked)) ?? ''),
      }),
      ...(has.readThread && {
        readThread: (...asked) =>
          tape.call('thread', async () => (await channel?.readThread?.(...asked)) ?? away),
      }),
    }
  }

const away: ThreadReading = { kind: 'unreadable', reason: 'away' }
