import type { Shared } from '../../agent/domain/event.ts'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import type { Scene, Slack } from './context.ts'
import { limits } from './limits.ts'
import { mentionsIn, readMessage, unnamedChannels } from './markdown.ts'
import type { SlackMessage } from './message.ts'

/**
 * Extracts the content of a message to Clew: its text with the names of mentioned people and
 * channels, and its files.
 */
export async function contentOf(
  { people, channels }: Slack,
  { workspace, botUserId }: Scene,
  { text, files, shared }: SlackMessage,
) {
  const others = mentionsIn(text).filter((id) => id !== botUserId)
  const known = await Promise.all([
    ...others.map(async (id) => [id, (await people.who(workspace, id))?.name ?? null] as const),
    ...unnamedChannels(text).map(
      async (channel) => [channel, await channels.mentioned({ workspace, channel })] as const,
    ),
  ])
  const names = new Map(known)
  const read = readMessage(text, botUserId, (id) => names.get(id) ?? null)
  const { text: words, forSomeoneElse, namesOthers } = read
  return {
    text: words,
    forSomeoneElse,
    namesOthers: namesOthers || undefined,
    ...filesOf(files),
    ...sharedOf(shared, botUserId),
  }
}

/** Reads another person's message that somebody hands over. The words keep their author (S34). */
export async function handedOver(
  slack: Slack,
  scene: Scene,
  message: SlackMessage,
): Promise<Shared> {
  const { text, files } = await contentOf(slack, scene, withAttached(message))
  const author = await slack.people.who(scene.workspace, message.user)
  const attached = files === undefined ? {} : { files }
  return { author: author?.name ?? message.user, text, ...attached }
}

/** Adds the text of a message's attachments to its own text. */
export const withAttached = (message: SlackMessage): SlackMessage => ({
  ...message,
  text: [message.text, ...message.attached].filter((part) => part !== '').join('\n'),
  attached: [],
  shared: [],
})

/** Returns shared messages separately, since another person's words are not the author's (C158). */
function sharedOf(
  shared: SlackMessage['shared'],
  botUserId: string,
): { shared?: { author: string; text: string }[] } {
  const read = shared.slice(0, limits.sharedOfMessage).map(({ author, text }) => ({
    author,
    text: readMessage(text, botUserId, () => null).text,
  }))
  return read.length === 0 ? {} : { shared: read }
}

/**
 * Lists files with their addresses. A file without one gets its address from Slack when it is read.
 */
function filesOf(files: SlackMessage['files']): { files?: FileRef[] } {
  const known = files.map(({ id, name, mimetype, size, url, gone }) => ({
    name,
    mimetype,
    size,
    url: url ?? '',
    id: url === null ? id : undefined,
    gone: gone ?? undefined,
  }))
  return known.length === 0 ? {} : { files: known.slice(0, limits.filesOfMessage) }
}
