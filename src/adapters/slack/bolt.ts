import { App, type AuthorizeSourceData, type Context, type Receiver } from '@slack/bolt'
import { z } from 'zod'
import { silent } from './api.ts'
import type { Scene, Slack } from './context.ts'
import { workspaceOf } from './installations.ts'
import { Envelope } from './parse.ts'

/** An entrance of what Slack sends. Slack's part of it begins when the app is started. */
export interface Entrance extends Receiver {
  /** Null when events can come in. */
  trouble(): string | null
}

/** Body of an event or a gesture, as JSON. */
export type Body = Record<string, unknown>

/** What goes back with an acknowledgement; nothing for most. */
export type Reply = unknown

/** Thrown where a listener, or the look at the installation, failed: Slack is to send the same again. */
class NotStored extends Error {}

/** Thrown for what comes from a workspace where Clew is not installed: acknowledged, and left alone. */
class NotInstalled extends Error {}

/**
 * Bolt's app over an entrance of Clew's. What a listener throws leaves `processEvent`, so that nothing is acknowledged that is
 * not stored (rule 1, P4).
 *
 * @param failed called when something could not be stored.
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
 * Has the listeners take a body in, and resolves with what acknowledges it once all of them are done. Bolt acknowledges
 * events before it calls a listener; here that is held back.
 *
 * @throws NotStored for what has to come again. What cannot be read at all is acknowledged.
 */
export async function takeIn(app: App, body: Body, { log }: Slack['deps']): Promise<Reply> {
  const held: { reply: Reply } = { reply: undefined }
  const ack = async (reply?: unknown) => {
    held.reply = reply
  }
  try {
    await app.processEvent({ body, ack })
  } catch (error) {
    if (error instanceof NotStored) throw error
    log.debug({ err: error }, 'Slack sent something that cannot be read')
  }
  return held.reply
}

/** Where something happened and who Clew is there, for the context of listeners. Throws when the store is away. */
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

/** An event without authorizations: its channel's workspace stands here, `team_id` may be the sender's. */
const Channel = Envelope.pick({ context_team_id: true }).extend({
  authorizations: z.null().optional(),
})

export const sceneOf = ({ teamId = '', botUserId = '' }: Context): Scene => ({
  workspace: workspaceOf(teamId),
  botUserId,
})
