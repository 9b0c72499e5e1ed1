import { afterAll } from 'vitest'
import { createDiscordChannel } from '../../../src/adapters/discord/adapter.ts'
import { workspaceOf } from '../../../src/adapters/discord/deps.ts'
import { conversationIdOf, newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Intake } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { channelContract } from '../../contracts/channel.ts'
import { textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Message, makeChannel, showMessage } from '../../fakes/discord/world.ts'
import { createMemory, depsFor } from './memory.ts'

const violations: string[] = []

/** A clock five seconds ahead of Discord's: what is said is stored though its id looks older than the store (C440). */
function createFastClock() {
  const clock = createSystemClock()
  return { ...clock, now: () => clock.now() + 5_000 }
}

/** A channel contract's place in the local Discord: a thread of Clew's, or its direct messages with Ana. */
async function start(intake: Intake, where: 'thread' | 'forum' | 'dm') {
  const discord = await startFakeDiscord()
  const { world } = discord
  const guild = discord.guild('Team')
  const channel = discord.channel(guild, 'general', where === 'forum' ? { type: 15 } : {})
  const ana = discord.person('Ana')
  const thread =
    where === 'dm'
      ? ana.dm()
      : makeChannel(world, {
          type: 11,
          guild_id: guild.id,
          parent_id: channel.id,
          name: 'A thread',
          owner_id: world.bot.id,
          thread_metadata: {
            archived: false,
            locked: false,
            auto_archive_duration: 1440,
            archive_timestamp: '',
          },
        })
  const workspace = workspaceOf(where === 'dm' ? null : guild.id)
  const channelId = where === 'dm' ? thread.id : channel.id
  const settled = new Map<string, (stored: boolean) => void>()
  const observed: Intake = async (event) => {
    const told = settled.get(event.ref?.split('/')[1] ?? '')
    try {
      const result = await intake(event)
      told?.(true)
      return result
    } catch (error) {
      told?.(false)
      throw error
    }
  }
  const adapter = createDiscordChannel(depsFor(discord, createMemory(), createFastClock()))
  await adapter.start(observed)
  await discord.until(() => adapter.health().ok, 'a connection')
  const gestures = new Map<string, Message>()
  return {
    channel: adapter,
    conversation: newConversation({
      id: conversationIdOf(workspace, channelId, thread.id),
      address: { workspace, channel: channelId, thread: thread.id },
      title: 'A thread',
      at: 1,
      lastReadAt: 1,
    }),
    shown: async () =>
      ours(discord, thread)
        .filter((one) => one.components.length === 0)
        .map(textOf),
    progress: async () =>
      ours(discord, thread)
        .filter((one) => one.components.length > 0)
        .map(textOf),
    mentions: async () => ours(discord, thread).flatMap(({ called }) => called),
    cut: () => discord.cut(),
    mend: () => discord.mend(),
    async say(text: string, gesture: string) {
      const known = gestures.get(gesture)
      const stored = new Promise<boolean>((resolve) => {
        if (known !== undefined) settled.set(known.id, resolve)
        else settled.set('next', resolve)
      })
      if (known === undefined) {
        const message = ana.says(thread, text)
        gestures.set(gesture, message)
        settled.set(message.id, settled.get('next') ?? (() => undefined))
      } else
        discord.gateway.tell(thread, 'MESSAGE_CREATE', {
          ...showMessage(known),
          guild_id: thread.guild_id,
        })
      return await stored
    },
    async stop() {
      await adapter.stop()
      violations.push(...discord.violations)
      await discord.stop()
    },
  }
}

const ours = (discord: FakeDiscord, channel: Channel) =>
  channel.messages.filter(({ author }) => author.id === discord.world.bot.id)

afterAll(() => {
  if (violations.length > 0) throw new Error(violations.join('\n'))
})

channelContract('a Discord thread', (intake) => start(intake, 'thread'))
channelContract('a post in a Discord forum', (intake) => start(intake, 'forum'))
