import { App, type AuthorizeSourceData, type Context, type Receiver } from '@slack/bolt'
import { z } from 'zod'
import { silent } from './api.ts'
import type { Scene, Slack } from './context.ts'
import { workspaceOf } from './installations.ts'
import { Envelope } from './parse.ts'

/** Entrance for Slack's events, which opens when the Bolt app starts. */
export interface Entrance extends Receiver {
  /** Returns the problem, or `null` if events can arrive. */
  trouble(): string | null
}

/** Body of an event or a gesture, as JSON. */
export type Body = Record<string, unknown>

/** A body, and how often Slack delivered it before. */
export interface Delivered {
  body: Body
  retryNum?: number | undefined
}

/** Payload of an acknowledgement; most have none. */
export type Reply = unknown

/**
 * Error of a listener or of the look-up of the installation. Slack must deliver the event again.
 */
class NotStored extends Error {}

/** Error for a workspace without Clew. The event is acknowledged and dropped. */
class NotInstalled extends Error {}

/**
 * Creates Bolt's app on top of our entrance. An error in a listener leaves `processEvent`, so an
 * event that was not stored is not acknowledged (rule 1, P4).
 *
 * @param failed called when an event could not be stored.
 */
export function createApp(slack: Slack, receiver: Receiver, failed: () => void): App {
  const { log } = slack.deps
  const app = new App({
    receiver,
    authorize: (source, body) => authorized(slack, source, body),
    convoStore: false,
    logger: silent,
  })
  app.error(async (error) => {
    if (error.original instanceof NotInstalled) {
      log.warn(
        { reason: error.original.message },
        'something came from where Clew is not installed',
      )
      return
    }
    failed()
    log.warn(
      { err: error.original ?? error },
      'an event was not stored; it is not acknowledged, so Slack sends it again',
    )
    throw new NotStored('not stored', { cause: error })
  })
  return app
}

/**
 * Runs the listeners for a body and resolves with the acknowledgement's payload when all are done.
 * Bolt would acknowledge before it calls a listener, so that is held back here.
 *
 * @throws NotStored if Slack must deliver it again. A body that cannot be parsed is acknowledged.
 */
export async function takeIn(
  app: App,
  { body, retryNum = 0 }: Delivered,
  { log }: Slack['deps'],
): Promise<Reply> {
  const held: { reply: Reply } = { reply: undefined }
  const ack = async (reply?: unknown) => {
    held.reply = reply
  }
  try {
    await app.processEvent({ body, ack, retryNum })
  } catch (error) {
    if (error instanceof NotStored) throw error
    log.debug({ err: error }, 'Slack sent something that cannot be read')
  }
  return held.reply
}

/**
 * Returns the workspace of an event and Clew's user there, for the listeners' context. Throws if
 * the store is down.
 */
async function authorized(
  { installations, people }: Slack,
  { teamId, enterpriseId, isEnterpriseInstall: isOrg }: AuthorizeSourceData<boolean>,
  body: unknown,
) {
  const team = Channel.safeParse(body).data?.context_team_id ?? teamId
  if (team === undefined) throw new NotInstalled('it names no workspace')
  const home = { team, enterprise: enterpriseId ?? null, isOrg }
  const installation = await installations.find(home)
  if (installation === null) throw new NotInstalled(team)
  await people.note(home)
  return { teamId: team, botUserId: installation.botUserId }
}

/**
 * Event without authorizations. `context_team_id` is the channel's workspace; `team_id` may be the
 * sender's.
 */
const Channel = Envelope.pick({ context_team_id: true }).extend({
  authorizations: z.null().optional(),
})

export const sceneOf = ({ teamId = '', botUserId = '', retryNum = 0 }: Context): Scene => ({
  workspace: workspaceOf(teamId),
  botUserId,
  isAgain: retryNum > 0,
})
