import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { Shelf } from '../../agent/ports/shelf.ts'
import { texts } from '../../locales/texts.ts'
import type { Api } from './api.ts'
import { markdown } from './blocks.ts'
import type { People } from './people.ts'
import type { Scene } from './take.ts'

const Anything = z.looseObject({})
const keptMs = 30 * 24 * 60 * 60 * 1_000

export interface Welcome {
  /** Says hello in a channel that Clew was invited to, in the language of whoever did. Never throws. */
  greet(scene: Scene, channel: string, inviter: string | null): Promise<void>
}

export function createWelcome(deps: {
  api: Api
  shelf: Shelf
  people: People
  log: Log
  defaults: { locale: string }
}): Welcome {
  const { api, shelf, people, log } = deps
  return {
    async greet({ workspace, installation }, channel, inviter) {
      try {
        if ((await shelf.get(workspace, `greeted:${channel}`)) !== null) return
        await shelf.put(workspace, `greeted:${channel}`, '1', keptMs)
        const person = inviter === null ? null : await people.who(workspace, inviter)
        const own = await people.who(workspace, installation.botUserId)
        const { slack } = texts(person?.locale ?? deps.defaults.locale)
        const text = slack.welcome(own?.name ?? 'Clew')
        const args = { channel, text: text.split('\n', 1)[0], blocks: [markdown(text)], unfurl_links: false }
        const answer = await api.call(workspace, 'chat.postMessage', args, Anything, { lane: channel })
        // What was certainly not said may be said when Slack sends the event again.
        if (!answer.ok && answer.problem.kind === 'later') await shelf.drop(workspace, `greeted:${channel}`)
      } catch (error) {
        log.warn({ err: error, channel }, 'a channel could not be greeted')
      }
    },
  }
}
