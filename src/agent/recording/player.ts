import { z } from 'zod'
import { isRecord } from '../contracts/forgiving.ts'
import type { TeamWords } from '../contracts/input.ts'
import type { ContractName } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import { createRunTypes } from '../drive/run-types.ts'
import { createDrive } from '../drive.ts'
import { createLiveRuns } from '../kernel/live-runs.ts'
import { requestTextOf } from '../model/request-text.ts'
import { silent } from '../ports/log.ts'
import { untraced } from '../ports/tracer.ts'
import { createStrategies } from '../strategies/strategies.ts'
import { createEye } from '../turn/look-at-images.ts'
import { createTurn } from '../turn.ts'
import { type Kept, type Line, newIn, readRecording, wholeOf } from './lines.ts'
import { createCounter, turn } from './recorder.ts'
import { onTape, type Recordable, type Tape } from './tape.ts'

/** First request that a replay makes otherwise. `number` counts those of the recording, from 1. */
export type Divergence = Place &
  (
    | { kind: 'differs'; at: number; was: string; is: string }
    /** The replay makes one that was not recorded. */
    | { kind: 'added' }
    | { kind: 'missing' }
  )
interface Place {
  number: number
  contract: ContractName
}

export interface Replayed {
  requests: number
  divergence: Divergence | null
}

export interface ReplayOptions {
  /** The team's words instead of the recorded ones. */
  team?: () => TeamWords
  /** Prompts of another version. */
  textOf?: typeof requestTextOf
}

/**
 * C661, C891: does the work of a recorded run or thread again, hold by hold, with its answers from
 * the recording alone.
 *
 * @throws UnreadableRecording
 */
export async function replay(text: string, options: ReplayOptions = {}): Promise<Replayed> {
  let requests = 0
  for (const lines of readRecording(text)) {
    const divergence = await replayHold(lines, options)
    if (divergence !== null)
      return { requests, divergence: { ...divergence, number: requests + divergence.number } }
    requests += lines.filter(({ kind }) => kind === 'request').length
  }
  return { requests, divergence: null }
}

async function replayHold(
  lines: readonly Line[],
  { team, textOf = requestTextOf }: ReplayOptions,
): Promise<Divergence | null> {
  const [first] = lines
  if (first?.kind !== 'run' && first?.kind !== 'thread') return null
  const { kept, id, workspace } = first
  const player = createPlayer(lines)
  const taped = onTape(outside(kept), player.tape, textOf(kept.model.name, kept.layout))
  const halt = new AbortController()
  player.tape.event('stop', () => halt.abort())
  const deps = team === undefined ? taped : { ...taped, team }
  if (first.kind === 'thread')
    void createTurn(deps)({ kind: 'conversation', workspace, id }, halt.signal)
  else {
    const begun = first.begun === null ? [] : [first.begun]
    void createDrive(deps)({ kind: 'run', workspace, id }, halt.signal, begun)
  }
  return await player.play()
}

/** Types what a recording holds as the answer of the port that it was recorded from. */
const recorded = <T>(value: unknown): T => z.custom<T>().parse(value)

const noTurns: NonNullable<Kept['turns']> = {
  allowedTypes: [],
  answersTo: { usual: 'mention', channels: {} },
  beginsWork: false,
  loopEnabled: false,
  since: 0,
  timeoutMs: 0,
}

const nothing = (): never => {
  throw new Error('a replay asks nobody outside')
}
/** A port behind a tape that answers for it. */
export const nowhere = <P extends object>(): P => recorded(new Proxy({}, { get: () => nothing }))

/** Ports of which none answers, with the settings that were kept. */
export function outside(kept: Kept): Recordable {
  const { settings, model, coding, library: names, hasTeam, hasProfiles, hasTests } = kept
  const { turns = noTurns } = kept
  const clock = { now: nothing, randomId: nothing, sleep: nothing, every: () => () => {} }
  return {
    ...settings,
    ...turns,
    store: {
      runs: nowhere(),
      conversations: nowhere(),
      commits: nowhere(),
      usage: nowhere(),
      notes: nowhere(),
      approvals: nowhere(),
      artifacts: nowhere(),
      inbox: nowhere(),
    },
    leases: nowhere(),
    wakeups: nowhere(),
    nudges: new Map(),
    clock,
    log: silent,
    model: { ...model, call: nothing },
    toolbox: { names: nothing, cards: nothing, get: nothing, hides: nothing },
    recall: nothing,
    placeOf: nothing,
    timesIn: nothing,
    strategies: createStrategies(),
    runTypes: createRunTypes(),
    tracer: untraced,
    live: createLiveRuns(),
    team: hasTeam ? nothing : undefined,
    profileIn: hasProfiles ? nothing : undefined,
    tests: hasTests ? nowhere() : undefined,
    quiet: nowhere(),
    commands: { all: [], parse: nothing },
    channelOf: () => null,
    freeSlots: nothing,
    begin: () => {},
    eyeOf: (...input) =>
      createEye({ model: {}, usage: settings.usage, store: { usage: nowhere() }, clock }, ...input),
    coding: coding && { ...coding, folder: nowhere() },
    library: names && { ...libraryNowhere, names },
    warnOfUsage: nothing,
  }
}

const libraryNowhere = {
  files: nothing,
  index: nothing,
  search: nothing,
  phrase: nothing,
  read: nothing,
}

/** Texts of the recorded requests, in order. */
function requestsIn(lines: readonly Line[]): { contract: ContractName; text: string }[] {
  const last = new Map<ContractName, string>()
  return lines.flatMap((line) => {
    if (line.kind !== 'request') return []
    const { contract } = line
    const text = wholeOf(last.get(contract) ?? '', line)
    last.set(contract, text)
    return [{ contract, text }]
  })
}

/**
 * Turns of the event loop that an answer waits for its call; one that is made later is none of this
 * replay.
 */
const turnsMost = 3

function createPlayer(lines: readonly Line[]) {
  const counted = createCounter()
  const open = new Map<string, PromiseWithResolvers<unknown>>()
  const heard = new Map<string, () => unknown>()
  const values = Map.groupBy(
    lines.filter((line) => line.kind === 'value'),
    ({ name }) => name,
  )
  const requests = requestsIn(lines)
  const isWhole = lines.at(-1)?.kind === 'end'
  let made = 0
  let found: Divergence | null = null

  function compare(asked: { contract: ContractName; text: string }) {
    const was = requests[made++]
    if (found !== null || (was === undefined && !isWhole)) return
    found = divergenceOf(made, was, asked)
  }
  const tape: Tape = {
    call<T>(
      name: string,
      _live: () => Promise<T>,
      asked?: { contract: ContractName; text: string },
    ) {
      if (asked !== undefined) compare(asked)
      const answer = Promise.withResolvers<T>()
      open.set(`${name} ${counted(name)}`, recorded(answer))
      return answer.promise
    },
    value<T>(name: string): T {
      const at = counted(name)
      return recorded(values.get(name)?.findLast(({ n }) => n <= at)?.is)
    },
    event(name, hear) {
      heard.set(name, hear)
      return async () => {}
    },
  }
  async function answerTo(name: string, n: number) {
    const key = `${name} ${n}`
    for (let turns = 0; turns < turnsMost && !open.has(key); turns += 1) await turn()
    return open.get(key)
  }
  async function hand(line: Line) {
    switch (line.kind) {
      case 'answer':
        return (await answerTo(line.name, line.n))?.resolve(line.is)
      case 'failure':
        return (await answerTo(line.name, line.n))?.reject(errorFrom(line.error))
      case 'event':
        return void heard.get(line.name)?.()
      case 'run':
      case 'thread':
      case 'request':
      case 'value':
      case 'end':
        return
      default:
        return assertNever(line)
    }
  }
  return {
    tape,
    /** Gives the work what was recorded, in its order, as long as the same requests come of it. */
    async play(): Promise<Divergence | null> {
      for (const line of lines) {
        if (found !== null) return found
        await turn()
        await hand(line)
      }
      await turn()
      const unmade = requests[made]
      if (found !== null || unmade === undefined) return found
      return { kind: 'missing', number: made + 1, contract: unmade.contract }
    },
  }
}

type Request = ReturnType<typeof requestsIn>[number]

function divergenceOf(number: number, was: Request | undefined, is: Request): Divergence | null {
  if (was === undefined) return { kind: 'added', number, contract: is.contract }
  if (was.text === is.text) return null
  const { head } = newIn(was.text, is.text)
  return {
    kind: 'differs',
    number,
    contract: is.contract,
    at: head,
    was: was.text,
    is: is.text,
  }
}

function errorFrom({ message, cause, ...more }: Record<string, unknown>): Error {
  const error = new Error(String(message))
  return Object.assign(error, more, isRecord(cause) ? { cause: errorFrom(cause) } : {})
}
