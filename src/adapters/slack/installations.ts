import { z } from 'zod'
import { whyUnreachable } from '../../agent/connection-problem.ts'
import { createWebClient, problemOf, type Tokens } from './api.ts'
import type { SlackDeps } from './deps.ts'

/** Installation of Clew in a workspace, or in all workspaces of an organisation. */
export const Installation = z.object({
  version: z.literal(1),
  /** `null` for an organisation. */
  team: z.string().nullable(),
  enterprise: z.string().nullable(),
  teamName: z.string(),
  botToken: z.string(),
  botUserId: z.string(),
  botId: z.string(),
  scopes: z.array(z.string()),
  installedBy: z.string().nullable(),
  /** Time of installation, in milliseconds since the epoch. */
  installedAt: z.number().optional(),
  /**
   * Refresh token and expiry of a rotating token; the expiry is in milliseconds since the epoch.
   */
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
})
export type Installation = z.infer<typeof Installation>

/** Workspace of an event, as the payload names it. */
export interface Home {
  team: string
  enterprise: string | null
  /** True if the event arrived through an installation for the whole organisation. */
  isOrg: boolean
}

export const workspaceOf = (team: string): string => `slack:${team}`
export const teamOf = (workspace: string): string => workspace.slice(workspace.indexOf(':') + 1)

/**
 * Installations of Clew.
 *
 * Contract: everything may throw if the store is down; nothing else throws.
 */
export interface Installations extends Tokens {
  /** Finds Clew's user in a workspace, or `null` if Clew is not installed there. */
  find(home: Home): Promise<Pick<Installation, 'botUserId'> | null>
  /** Finds the same by the workspace's name. */
  botOf(workspace: string): Promise<string | null>
  /** Lists the workspaces where Clew may be installed, as far as known now. */
  workspaces(): Promise<string[]>
  /**
   * Removes an installation after Clew was removed or its tokens were revoked.
   *
   * @param at time of the removal, in milliseconds since the epoch, with the precision of a second.
   * A late event leaves a newer installation in place.
   */
  forget(home: Home, at: number): Promise<void>
  /** Returns a line about a problem, or `null` if there is none. */
  trouble(): string | null
  /** Looks up what is known at the start. */
  start(): Promise<void>
  stop(): void
}

const AuthTest = z.looseObject({ team_id: z.string(), user_id: z.string() })

/** Creates the installation of a single workspace, from the token in the settings. */
export function createSingleInstallation(
  { apiUrl, log, clock }: Pick<SlackDeps, 'apiUrl' | 'log' | 'clock'>,
  botToken: string,
): Installations {
  const stopping = new AbortController()
  let known: { team: string; botUserId: string } | null = null
  let trouble: string | null = 'Slack has not been asked yet'

  /**
   * Looks up the token's workspace and bot user. A rejected token is tried again, since it may be
   * fixed while Clew runs.
   */
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
