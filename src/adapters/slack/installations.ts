import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import { whyUnreachable } from '../../agent/unreachable.ts'
import { createWebClient, problemOf, type Tokens } from './api.ts'

/** Clew in one workspace, or in all workspaces of an organisation. */
export const Installation = z.object({
  version: z.literal(1),
  /** Null for an organisation. */
  team: z.string().nullable(),
  enterprise: z.string().nullable(),
  teamName: z.string(),
  botToken: z.string(),
  botUserId: z.string(),
  botId: z.string(),
  scopes: z.array(z.string()),
  installedBy: z.string().nullable(),
  /** When it was kept, in milliseconds since the epoch. */
  installedAt: z.number().optional(),
})
export type Installation = z.infer<typeof Installation>

/** Where something happened, as the platform's payload says. */
export interface Home {
  team: string
  enterprise: string | null
  /** It reached us through an installation in the whole organisation. */
  isOrg: boolean
}

export const workspaceOf = (team: string): string => `slack:${team}`
export const teamOf = (workspace: string): string => workspace.slice(workspace.indexOf(':') + 1)

/** Contract: everything may throw when the store is away; nothing else throws. */
export interface Installations extends Tokens {
  find(home: Home): Promise<Installation | null>
  /**
   * Clew was taken out of a workspace or an organisation, or its tokens were taken back.
   *
   * @param at when, in milliseconds since the epoch, to the second: an event that comes late takes nothing from whoever has
   * installed it again since.
   */
  forget(home: Home, at: number): Promise<void>
  /** One line on how it stands, null when all is well. */
  trouble(): string | null
  /** Finds out what can be found out at the start. */
  start(): Promise<void>
  stop(): void
}

const AuthTest = z.looseObject({
  team_id: z.string(),
  team: z.string().default(''),
  enterprise_id: z.string().nullish(),
  user_id: z.string(),
  bot_id: z.string().default(''),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).default([]) }).optional(),
})

function slackIsAway(error: unknown): string {
  const why = whyUnreachable(error)
  return why === null ? 'Slack cannot be reached' : `Slack cannot be reached: ${why}`
}

/** The simple way: one workspace, one token from the settings. */
export function createSingleInstallation(deps: {
  botToken: string
  apiUrl: string
  log: Log
  sleep(ms: number, signal: AbortSignal): Promise<void>
}): Installations {
  const stopping = new AbortController()
  let known: Installation | null = null
  let trouble: string | null = 'Slack has not been asked yet'

  /** Who we are. A token that is refused is asked about again: it may be mended while Clew runs. */
  async function look(): Promise<boolean> {
    try {
      const answer = AuthTest.parse(await createWebClient(deps.botToken, deps.apiUrl).auth.test())
      known = {
        version: 1,
        team: answer.team_id,
        enterprise: answer.enterprise_id ?? null,
        teamName: answer.team,
        botToken: deps.botToken,
        botUserId: answer.user_id,
        botId: answer.bot_id,
        scopes: answer.response_metadata?.scopes ?? [],
        installedBy: null,
      }
      trouble = null
      return true
    } catch (error) {
      const problem = problemOf(error)
      trouble = problem.kind === 'token' ? `SLACK_BOT_TOKEN: Slack answers ${problem.code}` : slackIsAway(error)
      deps.log.error({ problem }, trouble)
      return false
    }
  }

  return {
    async of(workspace) {
      return known?.team === teamOf(workspace) ? known.botToken : null
    },
    async find() {
      if (known === null) throw new Error('it is not known yet whose token this is')
      return known
    },
    async forget() {
      trouble = 'SLACK_BOT_TOKEN was taken back: install the app again and set its new token'
      deps.log.error({}, trouble)
    },
    trouble: () => trouble,
    async start() {
      if (await look()) return
      void (async () => {
        for (let ms = 1_000; !stopping.signal.aborted; ms = Math.min(60_000, ms * 2)) {
          await deps.sleep(ms, stopping.signal)
          if (stopping.signal.aborted || (await look())) return
        }
      })()
    },
    stop: () => stopping.abort(),
  }
}
