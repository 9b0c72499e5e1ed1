import { Message, messageOf } from '../../../src/adapters/slack/message.ts'
import { conversationIdOf } from '../../../src/agent/domain/conversation.ts'
import type { Overheard } from '../../../src/agent/domain/overheard.ts'
import type { Standing } from '../../../src/agent/domain/words.ts'
import { ana, ben, workspace } from '../../support/agent.ts'
import type { World } from './world.ts'

/** Puts a text of somebody else before the model. `n` names its thread, and what is read there. */
export type Carrier = (world: World, text: string, n: string) => Promise<unknown>

const question = 'What is said here?'
const inOneLine = (text: string): string => text.replaceAll(/["\s]+/g, ' ').slice(0, 200)

/** It was said there before Ana called Clew. */
const before =
  (more: Partial<Overheard>): Carrier =>
  async ({ clew, before: threads }, text, n) => {
    threads.set(n, [{ version: 1, key: `heard-${n}`, author: ben, text, at: 1, ...more }])
    await clew.say(question, { thread: n })
  }

/** It is said while Ana's task waits for her to approve a mail. */
const meanwhile =
  (said: { standing?: Standing; bot?: boolean }): Carrier =>
  async ({ clew }, text, n) => {
    await clew.say('call mail: the team', { thread: n })
    await clew.idle()
    await clew.say(text, { thread: n, by: ben, addressed: false, ...said })
    // And while another one waits for words, which she gives then.
    const other = `${n}-asked`
    await clew.say('ask: Where? | here | there', { thread: other })
    await clew.idle()
    await clew.say(text, { thread: other, by: ben, addressed: false, ...said })
    await clew.say('here', { thread: other })
  }

/** Ana asks for it, by the tool that reads it. */
const read =
  (tool: string, input: (n: string) => string, channel = 'general'): Carrier =>
  async ({ clew, texts }, text, n) => {
    texts.set(n, text)
    await clew.say(`call ${tool}: ${input(n)}`, { thread: n, channel })
  }

/** As Slack tells of a message that shares another one, or shows one beside a link. */
const attached =
  (kind: 'is_share' | 'is_msg_unfurl'): Carrier =>
  async ({ clew }, text, n) => {
    const attachments = [{ text, author_name: 'Ben', [kind]: true }]
    const message = { channel: 'C1', ts: '1.1', user: 'U1', text: question, attachments }
    const { shared } = messageOf(Message.parse(message))
    await clew.say(question, { thread: n, shared })
  }

export const carriers: Readonly<Record<string, Carrier>> = {
  'a colleague’s message before': before({}),
  'a bot’s message, its embeds': before({ by: 'bot' }),
  'an outsider’s message': before({ by: 'outsider' }),
  'a message that was replied to': before({ where: 'replied_to' }),
  'a message of the channel above': before({ where: 'channel' }),
  'a colleague’s message meanwhile': meanwhile({}),
  'a bot’s message meanwhile': meanwhile({ bot: true }),
  'a guest’s message meanwhile': meanwhile({ standing: 'guest' }),
  'a forwarded message': attached('is_share'),
  'a message beside a link': attached('is_msg_unfurl'),
  'a message that is handed over': ({ clew }, text, n) => {
    const shared = [{ author: 'Ben', text }]
    return clew.say('Look at this message.', { thread: n, way: 'handed_over', shared })
  },
  'a page': read('fetch_web', (n) => `http://example.org/${n}`),
  'a page in direct messages': read('fetch_web', (n) => `http://example.org/${n}`, 'dm-ana'),
  'what a search found': read('internet_search', (n) => `news ${n}`),
  'a tool’s result': read('inbox', String),
  'a tool’s result in direct messages': read('inbox', String, 'dm-ana'),
  'a file’s name': ({ clew }, text, n) => clew.say(question, { thread: n, files: [text] }),
  'a file that a task made': async ({ clew }, text, n) => {
    const id = conversationIdOf(workspace, 'general', n)
    const file = { version: 1 as const, name: 'report.md', text, at: 1 }
    await clew.store.artifacts.save(workspace, id, file)
    await clew.say('call files: read report.md', { thread: n })
  },
  'a to-do’s title': async ({ clew }, text, n) => {
    // Each channel has its own.
    const channel = `project-${n}`
    await clew.say(`/todo add ${inOneLine(text)}`, { thread: `${n}-ben`, channel, by: ben })
    await clew.say('call todo: list', { thread: n, channel })
  },
  'a person’s name': async (world, text, n) => {
    const by = { id: 'ben', name: text }
    await before({ author: by, text: 'Hello' })(world, text, n)
  },
  'a colleague’s task': async ({ clew }, text, n) => {
    await clew.say(text, { thread: n, by: ben })
    await clew.idle()
    await clew.say(question, { thread: n })
  },
  'a fact of the channel': async ({ clew }, text, n) => {
    const at = { thread: n, channel: `project-${n}` }
    await clew.say(`/memory add "${inOneLine(text)}" --scope channel`, { ...at, by: ben })
    await clew.say(question, at)
  },
  'a choice': async (world, text, n) => {
    const asked = `ask: Which one? | ${inOneLine(text).slice(0, 75)} | none`
    await before({ text: asked })(world, asked, n)
    await world.clew.idle()
    const [open] = (await world.clew.state(n)).questions
    if (open !== undefined && open.approval !== true)
      await world.clew.choose(open.id, open.choices[0] ?? '', ana, n)
  },
  'a schedule’s words': ({ schedule }, text) =>
    schedule(`add 2026-03-04 11:00 ${inOneLine(text).replaceAll('--', '')}`, ben),
  'what a schedule reads': ({ schedule, texts }, text, n) => {
    texts.set(n, text)
    return schedule(`add 2026-03-04 11:00 call inbox: ${n} --allow todo`)
  },
}
