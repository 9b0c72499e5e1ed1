import { type Texts, texts } from '../../locales/texts.ts'
import { markdown } from './blocks.ts'
import type { Scene, Slack } from './context.ts'
import { post } from './post.ts'

const keptMs = 30 * 24 * 60 * 60 * 1_000

/**
 * Greets a channel that Clew was invited to, in the language of the person who invited it. Never
 * throws.
 */
export const greet = (
  slack: Slack,
  scene: Scene,
  channel: string,
  inviter: string | null,
): Promise<void> =>
  slack.once({ workspace: scene.workspace, key: `greeted:${channel}`, keptMs }, async () => {
    const own = await slack.people.who(scene.workspace, scene.botUserId)
    return await hello(slack, scene, { channel, user: inviter }, (words) =>
      words.welcome(own?.name ?? 'Clew'),
    )
  })

/** Greets a person who opens their messages with Clew for the first time. Never throws. */
export const meet = (slack: Slack, scene: Scene, channel: string, user: string): Promise<void> =>
  slack.once({ workspace: scene.workspace, key: `met:${user}`, keptMs: null }, () =>
    hello(slack, scene, { channel, user }, (words) => words.hello),
  )

async function hello(
  slack: Slack,
  { workspace }: Scene,
  { channel, user }: { channel: string; user: string | null },
  say: (words: Texts['slack']) => string,
) {
  const person = user === null ? null : await slack.people.who(workspace, user)
  const markup = say(texts(person?.locale ?? slack.deps.defaults.locale).slack)
  const [text = ''] = markup.split('\n', 1)
  return await post(
    slack,
    { workspace, channel, thread: null },
    { text, blocks: [markdown(markup)] },
  )
}
