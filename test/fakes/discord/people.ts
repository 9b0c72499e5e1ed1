import type { Interaction } from './interactions.ts'
import { addReaction, attach, type Site } from './routes.ts'
import { componentsIn } from './validate.ts'
import {
  type Channel,
  forwardOf,
  type Guild,
  isThread,
  type Message,
  makeChannel,
  makeMessage,
  namedIn,
  rolesIn,
  showChannel,
  showMessage,
  type User,
} from './world.ts'

type Json = Record<string, unknown>
type Options = Record<string, string | number | boolean>

/** Someone in front of a client: types, clicks, fills in. */
export interface Person extends User {
  says(
    channel: Channel,
    text: string,
    part?: {
      files?: { name: string; type: string; bytes: Buffer }[]
      replyTo?: Message
      /** Discord names what is replied to and does not show it. */
      untold?: boolean
      forwards?: Message
    },
  ): Message
  edits(message: Message, text: string): void
  deletes(message: Message): void
  /** Sets a mark on a message. */
  reacts(message: Message, emoji?: string): void
  dm(): Channel
  /** Opens a thread on a message. */
  opens(message: Message): Channel
  /** Presses the button with this label, or the one whose label contains it. */
  clicks(message: Message, label: string): Interaction
  /** Presses a button below what only they see. */
  presses(channel: Channel, customId: string): Interaction
  /** Picks an option of the message's select menu by its label. */
  chooses(message: Message, label: string): Interaction
  /** Fills in the modal that an interaction was answered with. */
  submits(shown: Interaction, text: string | Record<string, string>): Interaction
  /** `/todo add` is `runs(channel, ['todo', 'add'], {…})`. */
  runs(channel: Channel, path: string[], options?: Options): Interaction
  /** Chooses something in the menu of a message. */
  picks(message: Message, name: string): Interaction
  /** Types into an option that completes itself; the choices come with the answer. */
  types(
    channel: Channel,
    path: string[],
    focused: string,
    text: string,
    options?: Options,
  ): Interaction
}

export interface People {
  person(name: string, part?: Partial<User>): Person
  bot(name: string): Person
  /** Somebody opens a post in a forum. */
  post(forum: Channel, author: Person, title: string, text: string): Channel
  /** A bot is invited: its guild's event is sent to everybody who is connected. */
  join(guild: Guild): void
  /** What the bot's messages in a channel say, oldest first: content, and the text of its components. */
  texts(channel: Channel): string[]
}

/** What one sees of a message. */
export function textOf(message: Message): string {
  const inside = componentsIn(message.components).flatMap(({ type, content }) =>
    type === 10 ? [String(content)] : [],
  )
  return [message.content, ...inside].filter((part) => part !== '').join('\n')
}

export function labelsOf(message: Message): string[] {
  return componentsIn(message.components).flatMap((one) => {
    if (one.type === 2) return one.disabled === true ? [] : [String(one.label)]
    return one.type === 3 ? (one.options as Json[]).map(({ label }) => String(label)) : []
  })
}

export function createPeople(site: Site): People {
  const { world, gateway, interactions } = site

  function make(name: string, part: Partial<User>): Person {
    const user: User = {
      id: world.nextId(),
      username: name.toLowerCase(),
      global_name: name,
      locale: 'en-US',
      ...part,
    }
    world.users.set(user.id, user)

    const dispatch = (channel: Channel, interaction: Interaction, data: Json): Interaction => {
      // What a person does with an application of their own reaches it wherever they are.
      gateway.tellAlways(channel, 'INTERACTION_CREATE', {
        id: interaction.id,
        application_id: world.applicationId,
        type: interaction.type,
        token: interaction.token,
        version: 1,
        data,
        channel_id: channel.id,
        channel: { id: channel.id, type: channel.type, parent_id: channel.parent_id ?? null },
        ...(channel.guild_id === undefined
          ? { user: shown(user) }
          : {
              guild_id: channel.guild_id,
              member: {
                user: shown(user),
                roles: rolesIn(world, channel.guild_id, user.id),
                nick: null,
                permissions: '0',
              },
              guild_locale: 'en-US',
            }),
        locale: user.locale,
        entitlements: [],
        authorizing_integration_owners: channel.denied.has('view')
          ? { 1: user.id }
          : { 0: channel.guild_id ?? '0' },
        ...(interaction.message === null ? {} : { message: showMessage(interaction.message) }),
      })
      world.changed()
      return interaction
    }
    const open = (type: number, channel: Channel, message: Message | null = null) =>
      interactions.open({ type, user, channelId: channel.id, message })
    const press = (message: Message, data: Json): Interaction => {
      const channel = place(message.channel_id)
      return dispatch(channel, open(3, channel, message), data)
    }
    const place = (id: string): Channel => {
      const channel = world.channels.get(id)
      if (channel === undefined) throw new Error(`there is no channel ${id}`)
      return channel
    }

    return {
      ...user,
      says(channel, text, { files = [], replyTo, untold, forwards } = {}) {
        if (isThread(channel) && channel.thread_metadata?.locked)
          throw new Error('the thread is locked')
        if (channel.thread_metadata !== undefined) channel.thread_metadata.archived = false
        const message = makeMessage(world, channel, user, {
          content: text,
          attachments: files.map((one) => attach(site, one)),
          ...(replyTo && {
            type: 19,
            message_reference: { channel_id: channel.id, message_id: replyTo.id },
            ...(untold ? {} : { replied: replyTo }),
          }),
          ...(forwards && forwardOf(forwards)),
        })
        gateway.tellMessage(channel, message)
        world.changed()
        return message
      },
      edits(message, text) {
        const edited_timestamp = new Date(world.now()).toISOString()
        Object.assign(message, { content: text, mentions: namedIn(world, text), edited_timestamp })
        gateway.tellMessage(place(message.channel_id), message, 'MESSAGE_UPDATE')
        world.changed()
      },
      deletes(message) {
        const channel = place(message.channel_id)
        channel.messages.splice(channel.messages.indexOf(message), 1)
        gateway.tell(channel, 'MESSAGE_DELETE', {
          id: message.id,
          channel_id: channel.id,
          guild_id: channel.guild_id,
        })
        world.changed()
      },
      reacts(message, emoji = '👍') {
        addReaction(site, user, message, emoji)
      },
      opens: ({ id, channel_id }) =>
        openThread(place(channel_id), { id, name: 'A thread', owner_id: user.id }),
      dm: () =>
        [...world.channels.values()].find(
          (one) => one.type === 1 && one.recipients?.some(({ id }) => id === user.id),
        ) ?? makeChannel(world, { type: 1, recipients: [user] }),
      clicks(message, label) {
        const buttons = componentsIn(message.components).filter(({ type }) => type === 2)
        const button =
          buttons.find((one) => one.label === label) ??
          buttons.find((one) => String(one.label).includes(label))
        if (button === undefined || button.disabled === true)
          throw new Error(`no button "${label}" among ${labelsOf(message).join(', ')}`)
        return press(message, { component_type: 2, custom_id: button.custom_id })
      },
      presses(channel, customId) {
        const data = { component_type: 2, custom_id: customId }
        return dispatch(channel, open(3, channel), data)
      },
      chooses(message, label) {
        const menu = componentsIn(message.components).find(({ type }) => type === 3)
        const option = ((menu?.options ?? []) as Json[]).find((one) => one.label === label)
        if (option === undefined)
          throw new Error(`no option "${label}" among ${labelsOf(message).join(', ')}`)
        return press(message, {
          component_type: 3,
          custom_id: menu?.custom_id,
          values: [option.value],
        })
      },
      submits(modal, text) {
        const data = modal.answered?.data ?? {}
        const fields = componentsIn(data.components).filter(({ type }) => type === 4)
        if (fields.length === 0) throw new Error('no modal is open')
        const channel = place(modal.channelId)
        const components = fields.map(({ custom_id: id }) => {
          const value = typeof text === 'string' ? text : (text[String(id)] ?? '')
          return { type: 18, component: { type: 4, custom_id: id, value } }
        })
        return dispatch(channel, open(5, channel, modal.message), {
          custom_id: data.custom_id,
          components,
        })
      },
      runs(channel, path, options = {}) {
        return dispatch(channel, open(2, channel), commandData(path, options, null))
      },
      picks(message, name) {
        const channel = place(message.channel_id)
        const registered = [...site.commands.values()]
          .flat()
          .find((one) => one.name === name && one.type === 3)
        if (registered === undefined) throw new Error(`"${name}" is in no menu`)
        const resolved = { messages: { [message.id]: showMessage(message) } }
        return dispatch(channel, open(2, channel), {
          id: registered.id,
          name,
          type: 3,
          target_id: message.id,
          resolved,
        })
      },
      types(channel, path, focused, text, options = {}) {
        return dispatch(
          channel,
          open(4, channel),
          commandData(path, { ...options, [focused]: text }, focused),
        )
      },
    }
  }

  /** A command's data, with its subcommand if it has one. Only what is registered can be run. */
  function commandData([name = '', sub]: string[], options: Options, focused: string | null): Json {
    const registered = [...site.commands.values()].flat().find((one) => one.name === name)
    if (registered === undefined) throw new Error(`/${name} is not registered`)
    const subcommand = ((registered.options ?? []) as Json[]).find(
      (one) => one.type === 1 && one.name === sub,
    )
    if (sub !== undefined && subcommand === undefined)
      throw new Error(`/${name} ${sub} is not registered`)
    const known = ((sub === undefined ? registered.options : subcommand?.options) ?? []) as Json[]
    const given = Object.entries(options).map(([key, value]) => {
      const option = known.find((one) => one.name === key)
      if (option === undefined) throw new Error(`/${name} ${sub ?? ''} has no option ${key}`)
      return { name: key, type: option.type, value, ...(key === focused ? { focused: true } : {}) }
    })
    const inner = sub === undefined ? given : [{ type: 1, name: sub, options: given }]
    return { id: registered.id, name, type: 1, options: inner }
  }

  function openThread(parent: Channel, part: Pick<Channel, 'id' | 'name' | 'owner_id'>): Channel {
    const thread = makeChannel(world, {
      type: 11,
      ...(parent.guild_id === undefined ? {} : { guild_id: parent.guild_id }),
      parent_id: parent.id,
      thread_metadata: {
        archived: false,
        locked: false,
        auto_archive_duration: 1440,
        archive_timestamp: '',
      },
      ...part,
    })
    gateway.tell(thread, 'THREAD_CREATE', { ...showChannel(thread), newly_created: true })
    return thread
  }

  return {
    person: (name, part = {}) => make(name, part),
    bot: (name) => make(name, { bot: true }),
    post(forum, author, title, text) {
      const id = world.nextId()
      const thread = openThread(forum, { id, name: title, owner_id: author.id })
      const message = makeMessage(world, thread, author, { id, content: text })
      gateway.tellMessage(thread, message)
      world.changed()
      return thread
    },
    join: (guild) => gateway.tellGuild(guild.id),
    texts: (channel) =>
      channel.messages.filter(({ author }) => author.id === world.bot.id).map(textOf),
  }
}

const shown = ({ id, username, global_name, bot }: User) => ({
  id,
  username,
  global_name,
  discriminator: '0',
  avatar: null,
  ...(bot ? { bot } : {}),
})
