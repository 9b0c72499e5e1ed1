import { texts } from '../../locales/texts.ts'
import type { Scene, Slack } from './context.ts'
import type { SlackMessage } from './message.ts'
import { tell } from './private-message.ts'

/*
 * Posts of apps: a person's own through an app (`user` and `bot_id`), workflows, other bots. Posts
 * of apps in `ALLOWED_APPS` count as a program's words, which may only start work. Others start
 * nothing (R149, C397, S9).
 */

/**
 * True if the operator allows the app that posted the message. Otherwise tells the message's author
 * why, or writes to the log if there is no author.
 */
export async function isAdmitted(
  slack: Slack,
  { workspace }: Scene,
  message: SlackMessage,
): Promise<boolean> {
  const { app, user, channel, thread } = message
  const { allowedApps, defaults, log } = slack.deps
  if (app === null) return false
  if (allowedApps.includes(app.id)) return true
  const person = user === '' ? null : await slack.people.who(workspace, user)
  if (person === null || person.bot === true) {
    void slack.once({ workspace, key: `app:${app.id}`, keptMs: null }, async () => {
      log.info({ app: app.id, name: app.name }, 'ignored an app that ALLOWED_APPS does not name')
      return { kind: 'sent' }
    })
    return false
  }
  const { appNotAllowed } = texts(person.locale ?? defaults.locale).slack
  const to = { workspace, channel, thread, user }
  void tell(slack, `app:${app.id}:${user}`, to, appNotAllowed(app.name, app.id))
  return false
}
