import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../../src/agent/ports/log.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { type Around, type Clew, startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import type { Interaction } from '../../fakes/discord/interactions.ts'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Message } from '../../fakes/discord/world.ts'
import { ownStore } from '../../support/own-database.ts'

/** Lines for the operator, kept to be looked at. */
export function createRecorder(): Log & { lines: string[] } {
  const lines: string[] = []
  const note = (_fields: object, line: string) => void lines.push(line)
  return { lines, debug() {}, info: note, warn: note, error: note }
}

export interface Running {
  discord: FakeDiscord
  log: ReturnType<typeof createRecorder>
  clew: () => Clew
  /** Ends Clew in good order, does something while it is away, and starts it again on the same store. */
  restart(meanwhile?: () => void | Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Picks "Ask Clew about this" on a message and hands in the form that it opens; blank: nothing is written there. */
export async function askAbout(
  discord: FakeDiscord,
  person: Person,
  message: Message,
  text = '',
): Promise<Interaction> {
  const picked = person.picks(message, 'Ask Clew about this')
  await discord.until(() => picked.answered?.type === 9, 'the form')
  return person.submits(picked, text)
}

/** The whole of Clew on a store of its own, with the stand-in for a model, in the local Discord. */
export async function startInDiscord(
  options: { env?: Record<string, string>; around?: Partial<Around>; discord?: FakeDiscord } = {},
): Promise<Running> {
  const discord = options.discord ?? (await startFakeDiscord())
  const folder = mkdtempSync(join(tmpdir(), 'clew-discord-'))
  const log = createRecorder()
  const store = await ownStore()
  const begin = async () => {
    const before = discord.gateway.counts.identified
    const started = await startClew(
      readConfig({
        DATA_DIR: folder,
        PORT: '0',
        ROLES: 'discord,worker,scheduler',
        DISCORD_TOKEN: discord.token,
        DISCORD_API_URL: discord.url,
        OPENAI_MODEL: 'rehearsal',
        REHEARSAL_PACE_MS: '0',
        AGENT_STRATEGY: 'step',
        ...store,
        ...options.env,
      }),
      { clock: createSystemClock(), log, ...options.around },
    )
    // What is said before Clew is there for the first time is not for it.
    const isThere = () => discord.gateway.counts.identified > before
    await discord.until(isThere, 'Clew in Discord')
    return started
  }
  let clew = await begin()
  return {
    discord,
    log,
    clew: () => clew,
    async restart(meanwhile) {
      await clew.stop()
      await meanwhile?.()
      clew = await begin()
    },
    async stop() {
      await clew.stop()
      await discord.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
