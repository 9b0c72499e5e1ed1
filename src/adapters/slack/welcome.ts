import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import type { Api } from './api.ts'
import { markdown } from './blocks.ts'
import type { People } from './people.ts'
import type { Scene } from './scene.ts'

const Anything = z.looseObject({})
const keptMs = 30 * 24 * 60 * 60 * 1_000

export interface Welcome {
  /** Says hello in a channel that Clew was invited to, in the language of whoever did. Never throws. */
  greet(scene: Scene, channel: string, inviter: string | null): Promise<void>
  /** Says hello to a person who opens their messages with Clew for the first time. Never throws. */
  meet(scene: Scene, channel: string, user: string): Promise<void>
}

export function createWelcome(deps: {
  api: Api
  shelf: Notes
  people: People
  log: Log
  defaults: { locale: string }
}): Welcome {
  const { api, shelf, people, log } = deps

  async function hello(
    { workspace, installation }: Scene,
    channel: string,
    to: { user: string | null; note: string; keptMs: number | null; words(slack: Texts['slack'], bot: string): string },
  ): Promise<void> {
    try {
      if ((await shelf.get(workspace, to.note)) !== null) return
      await shelf.put(workspace, to.note, '1', to.keptMs)
      const person = to.user === null ? null : await people.who(workspace, to.user)
      const own = await people.who(workspace, installation.botUserId)
      const { slack } = texts(person?.locale ?? deps.defaults.locale)
      const text = to.words(slack, own?.name ?? 'Clew')
      const args = { channel, text: text.split('\n', 1)[0], blocks: [markdown(text)], unfurl_links: false }
      const answer = await api.call(workspace, 'chat.postMessage', args, Anything, { lane: channel })
      // What was certainly not said may be said when Slack sends the event again.
      if (!answer.ok && answer.problem.kind === 'later') await shelf.drop(workspace, to.note)
    } catch (error) {
      log.warn({ err: error, channel }, 'nobody could be greeted there')
    }
  }

  return {
    greet: (scene, channel, inviter) =>
      hello(scene, channel, {
        ...{ user: inviter, note: `greeted:${channel}`, keptMs },
        words: (slack, bot) => slack.welcome(bot),
      }),
    meet: (scene, channel, user) =>
      hello(scene, channel, { user, note: `met:${user}`, keptMs: null, words: (slack) => slack.hello }),
  }
}
