import { z } from 'zod'
import { whyUnreachable } from '../../agent/connection-problem.ts'
import { createWebClient, problemOf, type Tokens } from './api.ts'
import type { SlackDeps } from './deps.ts'

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
  /** Of a token that ends: what it is renewed with, and when it ends, in milliseconds since the epoch. */
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
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
  /** Who Clew is there; null where it is not installed. */
  find(home: Home): Promise<Pick<Installation, 'botUserId'> | null>
  /** The same by a workspace's name. */
  botOf(workspace: string): Promise<string | null>
  /** Where it may be installed, as far as that is known now. */
  workspaces(): Promise<string[]>
  /**
   * Clew was taken out of a workspace or an organisation, or its tokens were taken back.
   *
   * @param at when, in milliseconds since the epoch, to the second: an event that comes late takes nothing from the workspace that has
   * installed it again since.
   */
  forget(home: Home, at: number): Promise<void>
  /** One line on how it stands, null when all is well. */
  trouble(): string | null
  /** Finds out what can be found out at the start. */
  start(): Promise<void>
  stop(): void
}

const AuthTest = z.looseObject({ team_id: z.string(), user_id: z.string() })

/** The simple way: one workspace, one token from the settings. */
export function createSingleInstallation(
  { apiUrl, log, clock }: Pick<SlackDeps, 'apiUrl' | 'log' | 'clock'>,
  botToken: string,
): Installations {
  const stopping = new AbortController()
  let known: { team: string; botUserId: string } | null = null
  let trouble: string | null = 'Slack has not been asked yet'

  /** Who we are. A token that is refused is asked about again: it may be mended while Clew runs. */
  async function look(): Promise<void> {
    try {
      const { team_id: team, user_id: botUserId } = AuthTest.parse(
        await createWebClient(botToken, apiUrl).auth.test(),
      )
      known = { team, botUserId }
      trouble = null
    } catch (error) {
      trouble = troubleOf(error)
      log.error({ problem: problemOf(error) }, trouble)
    }
  }

  async function lookAgain(): Promise<void> {
    for (let ms = 1_000; known === null; ms = Math.min(60_000, ms * 2)) {
      await clock.sleep(ms, stopping.signal)
      if (stopping.signal.aborted) return
      await look()
    }
  }

  return {
    of: async (workspace) =>
      known?.team === teamOf(workspace) ? { botToken, callsFor: null } : null,
    botOf: async (workspace) => (known?.team === teamOf(workspace) ? known.botUserId : null),
    workspaces: async () => (known === null ? [] : [workspaceOf(known.team)]),
    async find() {
      if (known === null) throw new Error('it is not known yet whose token this is')
      return known
    },
    async forget() {
      trouble = 'SLACK_BOT_TOKEN was taken back: install the app again and set its new token'
      log.error({}, trouble)
    },
    trouble: () => trouble,
    async start() {
      await look()
      void lookAgain()
    },
    stop: () => stopping.abort(),
  }
}

function troubleOf(error: unknown): string {
  const problem = problemOf(error)
  if (problem.kind === 'later' && problem.token !== undefined)
    return `SLACK_BOT_TOKEN: Slack answers ${problem.token.code}`
  const why = whyUnreachable(error)
  return why === null ? 'Slack cannot be reached' : `Slack cannot be reached: ${why}`
}
