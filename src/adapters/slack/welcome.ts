import { type Texts, texts } from '../../locales/texts.ts'
import type { Once } from '../channel-kit/once.ts'
import { type Api, asSent } from './api.ts'
import { markdown } from './blocks.ts'
import type { People } from './people.ts'
import { PostAnswer } from './post.ts'
import type { Scene } from './scene.ts'

const keptMs = 30 * 24 * 60 * 60 * 1_000

export interface Welcome {
  /** Says hello in a channel that Clew was invited to, in the language of whoever did. Never throws. */
  greet(scene: Scene, channel: string, inviter: string | null): Promise<void>
  /** Says hello to a person who opens their messages with Clew for the first time. Never throws. */
  meet(scene: Scene, channel: string, user: string): Promise<void>
}

export function createWelcome(deps: { api: Api; people: People; once: Once; defaults: { locale: string } }): Welcome {
  const { api, people, once } = deps

  async function hello(
    { workspace, installation }: Scene,
    channel: string,
    to: { user: string | null; key: string; keptMs: number | null; words(slack: Texts['slack'], bot: string): string },
  ): Promise<void> {
    await once({ workspace, ...to }, async () => {
      const person = to.user === null ? null : await people.who(workspace, to.user)
      const own = await people.who(workspace, installation.botUserId)
      const text = to.words(texts(person?.locale ?? deps.defaults.locale).slack, own?.name ?? 'Clew')
      const args = { channel, text: text.split('\n', 1)[0], blocks: [markdown(text)], unfurl_links: false }
      const answer = await api.call(workspace, 'chat.postMessage', args, PostAnswer, { lane: channel })
      return answer.ok
        ? { kind: 'sent' }
        : answer.problem.kind === 'later'
          ? asSent(answer.problem)
          : { kind: 'unknown' }
    })
  }

  return {
    greet: (scene, channel, inviter) =>
      hello(scene, channel, {
        ...{ user: inviter, key: `greeted:${channel}`, keptMs },
        words: (slack, bot) => slack.welcome(bot),
      }),
    meet: (scene, channel, user) =>
      hello(scene, channel, { user, key: `met:${user}`, keptMs: null, words: (slack) => slack.hello }),
  }
}
