import { stopwatch } from '../../support/processor-time.ts'
import type { createEvents, Delivered } from './events.ts'
import { historyScope } from './methods.ts'
import {
  directChannel,
  type FakeChannel,
  type FakeFile,
  type FakeMessage,
  type FakeState,
  type Form,
  toldOf,
} from './state.ts'

interface Said {
  ts: string
  /** Of every event that it caused, when each is acknowledged or given up. */
  delivered: Promise<Delivered[]>
}

interface Saying {
  thread?: string
  clientId?: string | null
  /** `access`: of another workspace's file messages tell only the id. `mode`: it was deleted or is hidden. */
  files?: {
    name: string
    mimetype: string
    content: Buffer
    size?: number
    access?: 'check_file_info'
    mode?: 'tombstone' | 'hidden_by_limit'
  }[]
  blocks?: unknown[]
  attachments?: Record<string, unknown>[]
  /** Somebody's message, forwarded with it. */
  shared?: { author: string; text: string }
  /** As a bot or an integration of somebody else's. */
  bot?: boolean
  /** The app that posts it. */
  app?: string
}

/** What people of a workspace do, with every event that Slack makes of it. */
export function createPeople(deps: {
  state: FakeState
  events: ReturnType<typeof createEvents>
  nextTs: () => string
  baseUrl: string
}) {
  const { state, events, nextTs, baseUrl } = deps
  let made = 0

  /** An Events API body around an event. */
  function envelope(event: Record<string, unknown>): Record<string, unknown> {
    made += 1
    return {
      token: 'verification',
      team_id: state.team,
      context_team_id: state.team,
      context_enterprise_id: state.enterprise,
      api_app_id: 'A1',
      type: 'event_callback',
      event_id: `Ev${made}`,
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [
        {
          enterprise_id: state.enterprise,
          team_id: state.team,
          user_id: state.bot.user,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      event: { event_ts: nextTs(), ...event },
    }
  }

  const channelOf = (id: string): FakeChannel => {
    const known = state.channels.get(id)
    if (known === undefined) throw new Error(`there is no channel ${id}`)
    return known
  }

  /** The event or events that a message makes. */
  function eventsOf(channel: FakeChannel, message: FakeMessage): Record<string, unknown>[] {
    const mentions = channel.kind !== 'im' && message.text.includes(`<@${state.bot.user}>`)
    const isHeard = state.bot.scopes.has(historyScope(channel))
    const isNamed = mentions && state.bot.scopes.has('app_mentions:read')
    if (!channel.members.has(state.bot.user)) return []
    const parent = channel.messages.find(({ ts }) => ts === message.thread_ts)
    const base = {
      ts: message.ts,
      // Of a workflow no user is told.
      ...(message.user === '' ? { subtype: 'bot_message' } : { user: message.user }),
      text: message.text,
      team: state.team,
      channel: channel.id,
      blocks: message.blocks,
      ...(message.bot_id === undefined ? {} : { bot_id: message.bot_id }),
      ...(message.app_id === undefined ? {} : { app_id: message.app_id }),
      ...(message.client_msg_id === undefined ? {} : { client_msg_id: message.client_msg_id }),
      ...(message.attachments === undefined ? {} : { attachments: message.attachments }),
      ...(message.thread_ts === undefined
        ? {}
        : { thread_ts: message.thread_ts, parent_user_id: parent?.user }),
      ...(message.files === undefined
        ? {}
        : { subtype: 'file_share', files: message.files.map(toldOf) }),
    }
    const plain = { ...base, type: 'message', channel_type: channel.kind }
    return [...(isHeard ? [plain] : []), ...(isNamed ? [{ ...base, type: 'app_mention' }] : [])]
  }

  function put(channel: FakeChannel, user: string, text: string, more: Saying): FakeMessage {
    const files = more.files?.map(
      ({ name, mimetype, content, size, access, mode }, index): FakeFile => {
        const id = `F${nextTs().replace('.', '')}${index}`
        const url = `${baseUrl}/files/${state.team}/${id}`
        return {
          id,
          name,
          mimetype,
          size: size ?? content.length,
          url_private_download: url,
          content,
          ...(access === undefined ? {} : { told: { id, file_access: access } }),
          ...(mode === undefined ? {} : { told: { id, name, mode } }),
        }
      },
    )
    const message: FakeMessage = {
      ts: nextTs(),
      ...(more.thread === undefined ? {} : { thread_ts: more.thread }),
      user,
      ...(more.bot ? { bot_id: 'B0OTHER' } : {}),
      ...(more.app === undefined ? {} : { app_id: more.app }),
      ...(more.clientId === null ? {} : { client_msg_id: more.clientId ?? `client-${++made}` }),
      text,
      blocks: more.blocks ?? [],
      ...(more.attachments === undefined ? {} : { attachments: more.attachments }),
      ...(files === undefined ? {} : { files }),
      ...(more.shared === undefined
        ? {}
        : {
            attachments: [
              {
                is_msg_unfurl: true,
                is_share: true,
                author_name: more.shared.author,
                text: more.shared.text,
                fallback: `[${more.shared.author}]`,
              },
            ],
          }),
      reactions: new Map(),
      unfurl: { links: true, media: true },
    }
    channel.messages.push(message)
    return message
  }

  /** Events come only of what the app is subscribed to, and only with the scopes that they need. */
  const deliverAll = (bodies: readonly Record<string, unknown>[]): Promise<Delivered[]> =>
    Promise.all(bodies.filter(isTold).map((body) => events.deliver('events_api', envelope(body))))

  function isTold({ type, channel_type: kind }: Record<string, unknown>): boolean {
    const scope =
      type === 'reaction_added'
        ? 'reactions:read'
        : type === 'app_mention'
          ? 'app_mentions:read'
          : null
    const name =
      type === 'message'
        ? `message.${kind === 'channel' || kind === 'group' ? `${kind}s` : kind}`
        : type
    return state.bot.events.has(String(name)) && (scope === null || state.bot.scopes.has(scope))
  }

  /** Slack does not say in which thread the message is. */
  function tellReaction(
    place: FakeChannel,
    { ts, user: author }: FakeMessage,
    user: string,
    reaction: string,
  ) {
    const item = { type: 'message', channel: place.id, ts }
    const event = { type: 'reaction_added', user, reaction, item_user: author, item }
    return deliverAll(place.members.has(state.bot.user) ? [event] : [])
  }

  function whole(channel: string, user: string) {
    return {
      team: { id: state.team, domain: 'team' },
      enterprise: null,
      channel: { id: channel },
      user: userOf(user),
    }
  }
  const triggerOf = (user: string): string => {
    const id = `trigger-${++made}`
    state.triggers.set(id, { user, passed: stopwatch() })
    return id
  }
  const userOf = (id: string) => ({
    id,
    name: state.users.get(id)?.name ?? id,
    team_id: state.team,
  })

  return {
    envelope,
    eventsOf,

    /** The app's own messages come back to it as events; it must not answer them. */
    announce(channel: FakeChannel, message: FakeMessage) {
      void deliverAll(eventsOf(channel, message))
    },

    /** Tells the app of something again, or late. */
    send: deliverAll,

    /** So do the app's own marks. */
    announceReaction: (...told: Parameters<typeof tellReaction>) => void tellReaction(...told),

    /** Puts a message into a channel without telling the app: for deliveries in an order of the test's own. */
    write: (channel: string, user: string, text: string, more: Saying = {}): FakeMessage =>
      put(channelOf(channel), user, text, more),

    say(channel: string, user: string, text: string, more: Saying = {}): Said {
      const place = channelOf(channel)
      const message = put(place, user, text, more)
      return { ts: message.ts, delivered: deliverAll(eventsOf(place, message)) }
    },

    direct(user: string, text: string, more: Saying = {}): Said & { channel: string } {
      const place = directChannel(state, user)
      const message = put(place, user, text, more)
      return { ts: message.ts, channel: place.id, delivered: deliverAll(eventsOf(place, message)) }
    },

    mention(channel: string, user: string, text: string, more: Saying = {}): Said {
      return this.say(channel, user, `<@${state.bot.user}> ${text}`, more)
    },

    async edit(channel: string, ts: string, text: string): Promise<Delivered[]> {
      const place = channelOf(channel)
      const message = place.messages.find((one) => one.ts === ts)
      if (message === undefined) throw new Error('there is no such message')
      const before = { ...message }
      message.text = text
      message.edited = { ts: nextTs() }
      const { reactions: _, unfurl: __, ...shown } = message
      const { reactions: ___, unfurl: ____, ...previous } = before
      const again = eventsOf(place, message).filter(({ type }) => type === 'app_mention')
      return await deliverAll([
        {
          type: 'message',
          subtype: 'message_changed',
          channel,
          channel_type: place.kind,
          ts: nextTs(),
          message: { type: 'message', ...shown },
          previous_message: { type: 'message', ...previous },
        },
        // Editing a mention announces it once more, under another event id.
        ...again.map((event) => ({ ...event, edited: message.edited })),
      ])
    },

    async remove(channel: string, ts: string): Promise<Delivered[]> {
      const place = channelOf(channel)
      const message = place.messages.find((one) => one.ts === ts)
      if (message === undefined) throw new Error('there is no such message')
      const { reactions: _, unfurl: __, ...previous } = message
      if (place.messages.some((one) => one.thread_ts === ts && one !== message)) {
        // A message with replies leaves its place behind, as Slack's own words.
        const stands = {
          text: 'This message was deleted.',
          user: 'USLACKBOT',
          subtype: 'tombstone',
        }
        Object.assign(message, stands)
        const tombstone = {
          type: 'message',
          subtype: 'tombstone',
          hidden: true,
          ts,
          thread_ts: ts,
          user: 'USLACKBOT',
        }
        const changed = {
          type: 'message',
          subtype: 'message_changed',
          channel,
          channel_type: place.kind,
          ts: nextTs(),
        }
        return await deliverAll([{ ...changed, message: tombstone, previous_message: previous }])
      }
      place.messages = place.messages.filter((one) => one !== message)
      const event = {
        type: 'message',
        subtype: 'message_deleted',
        channel,
        channel_type: place.kind,
      }
      return await deliverAll([
        { ...event, ts: nextTs(), deleted_ts: ts, previous_message: previous },
      ])
    },

    /** Sets a mark on a message. */
    react(channel: string, user: string, ts: string, reaction = '+1'): Promise<Delivered[]> {
      const place = channelOf(channel)
      const message = place.messages.find((one) => one.ts === ts)
      if (message === undefined) throw new Error('there is no such message')
      message.reactions.set(reaction, (message.reactions.get(reaction) ?? new Set()).add(user))
      return tellReaction(place, message, user, reaction)
    },

    /** Presses the button with this label on a message; the action's time can be given for a repeated delivery. */
    click(
      channel: string,
      user: string,
      ts: string,
      label: string,
      actionTs = nextTs(),
    ): Promise<Delivered> {
      const message = channelOf(channel).messages.find((one) => one.ts === ts)
      const element =
        message === undefined
          ? undefined
          : buttonsOf(message.blocks).find(({ text }) => text === label)
      if (message === undefined || element === undefined)
        throw new Error(`there is no button "${label}" on ${ts}`)
      return this.press(channel, user, message, element.actionId, element.value, actionTs)
    },

    /** Presses a button that may no longer be shown. */
    press(
      channel: string,
      user: string,
      message: Pick<FakeMessage, 'ts' | 'thread_ts'>,
      actionId: string,
      value: string,
      actionTs = nextTs(),
    ): Promise<Delivered> {
      return events.deliver('interactive', {
        type: 'block_actions',
        ...whole(channel, user),
        trigger_id: triggerOf(user),
        container: { type: 'message', message_ts: message.ts, channel_id: channel },
        message: { type: 'message', ts: message.ts, thread_ts: message.thread_ts },
        actions: [
          { type: 'button', block_id: 'b', action_id: actionId, value, action_ts: actionTs },
        ],
      })
    },

    /** Presses a button in a message that only this person sees, which is not told with it. */
    pressHidden(channel: string, user: string, thread: string, value: string): Promise<Delivered> {
      const container = {
        type: 'message',
        message_ts: nextTs(),
        channel_id: channel,
        is_ephemeral: true,
        thread_ts: thread,
      }
      return events.deliver('interactive', {
        type: 'block_actions',
        ...whole(channel, user),
        trigger_id: triggerOf(user),
        container,
        actions: [{ type: 'button', action_id: 'clew:private:0', value, action_ts: nextTs() }],
      })
    },

    /** Presses a button on the Home tab. */
    clickHome(user: string, label: string): Promise<Delivered> {
      const view = state.views.get(user) as { blocks: unknown[] } | undefined
      const element = buttonsOf(view?.blocks ?? []).find(({ text }) => text === label)
      if (element === undefined) throw new Error(`there is no button "${label}" on the Home tab`)
      const { channel: _, ...rest } = whole('', user)
      return events.deliver('interactive', {
        type: 'block_actions',
        ...rest,
        trigger_id: triggerOf(user),
        view: { type: 'home' },
        actions: [
          {
            type: 'button',
            action_id: element.actionId,
            value: element.value,
            action_ts: nextTs(),
          },
        ],
      })
    },

    /** Fills in the form that this person has open, and hands it in; one that Slack is told to keep stays open. */
    async submit(
      user: string,
      fields: Record<string, string>,
      again?: Form,
    ): Promise<Delivered & { form: Form }> {
      const form = again ?? state.forms.get(user)
      if (form === undefined) throw new Error(`${user} has no form open`)
      const inputs = form.view.blocks.filter(({ type }) => type === 'input')
      const values = inputs.map(({ block_id: id, element }) => {
        const { action_id: action, initial_value: known } = element as {
          action_id: string
          initial_value?: string
        }
        return [
          String(id),
          { [action]: { type: 'plain_text_input', value: fields[String(id)] ?? known ?? null } },
        ]
      })
      const { channel: _, ...rest } = whole('', user)
      const view = {
        ...form.view,
        id: form.id,
        type: 'modal',
        state: { values: Object.fromEntries(values) },
      }
      const delivered = await events.deliver('interactive', {
        type: 'view_submission',
        ...rest,
        view,
      })
      const action = (delivered.reply as { response_action?: string } | null)?.response_action
      if (action !== 'errors') state.forms.delete(user)
      return { ...delivered, form }
    },

    command(channel: string, user: string, command: string, text = ''): Promise<Delivered> {
      return events.deliver('slash_commands', {
        command,
        text,
        team_id: state.team,
        channel_id: channel,
        user_id: user,
        user_name: state.users.get(user)?.name ?? user,
        trigger_id: triggerOf(user),
        response_url: `${baseUrl}/respond`,
      })
    },

    shortcut(channel: string, user: string, ts: string, callbackId: string): Promise<Delivered> {
      const message = channelOf(channel).messages.find((one) => one.ts === ts)
      if (message === undefined) throw new Error('there is no such message')
      const { reactions: _, unfurl: __, ...shown } = message
      return events.deliver('interactive', {
        type: 'message_action',
        callback_id: callbackId,
        ...whole(channel, user),
        trigger_id: triggerOf(user),
        action_ts: nextTs(),
        message: { type: 'message', ...shown },
      })
    },

    openHome: (user: string) =>
      deliverAll([{ type: 'app_home_opened', user, tab: 'home', channel: `D${user.slice(1)}` }]),

    openMessages: (user: string) =>
      deliverAll([
        { type: 'app_home_opened', user, tab: 'messages', channel: directChannel(state, user).id },
      ]),

    async invite(channel: string, inviter: string): Promise<Delivered[]> {
      const place = state.channels.get(channel) ?? {
        ...{
          id: channel,
          kind: 'channel' as const,
          members: new Set([inviter]),
          archived: false,
          messages: [],
        },
      }
      state.channels.set(channel, place)
      place.members.add(state.bot.user)
      return await deliverAll([
        { type: 'member_joined_channel', user: state.bot.user, channel, inviter },
      ])
    },

    stopSession: (channel: string, user: string, thread: string) =>
      deliverAll([{ type: 'agent_session_stopped', channel, thread_ts: thread, user }]),

    uninstall: () => deliverAll([{ type: 'app_uninstalled' }]),
  }
}

/** Buttons that a person sees, with what they carry. */
export function buttonsOf(
  blocks: readonly unknown[],
): { text: string; actionId: string; value: string }[] {
  return blocks.flatMap((block) => {
    const { type, elements } = block as { type?: string; elements?: Record<string, unknown>[] }
    if (type === 'context_actions') return (elements ?? []).flatMap(signsOf)
    if (type !== 'actions' || elements === undefined) return []
    return elements.map((element) => ({
      text: String((element.text as { text?: unknown }).text),
      actionId: String(element.action_id),
      value: String(element.value ?? ''),
    }))
  })
}

/** The two buttons of one element for feedback. */
function signsOf({ action_id, positive_button, negative_button }: Record<string, unknown>) {
  return [positive_button, negative_button].flatMap((one) => {
    const { text, value } = (one ?? {}) as { text?: { text: string }; value?: string }
    return text === undefined
      ? []
      : [{ text: text.text, actionId: String(action_id), value: String(value) }]
  })
}
