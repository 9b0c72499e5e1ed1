import { z } from 'zod'

/** The forms of what Slack sends, as far as Clew reads it; what Slack adds later is let pass. */

const id = z.string().min(1)
const text = z.string().nullish()
const File = z.looseObject({
  id,
  name: text,
  mimetype: text,
  size: z.number().nullish(),
  url_private_download: text,
  url_private: text,
})
/** Of messages that are shared or linked, and of most bots: what they say stands here. */
const Attachment = z.looseObject({
  text: text,
  fallback: text,
  author_name: text,
  is_share: z.boolean().nullish(),
  is_msg_unfurl: z.boolean().nullish(),
})
export const Message = z.looseObject({
  channel: id,
  channel_type: text,
  ts: id,
  thread_ts: text,
  user: text,
  bot_id: text,
  subtype: text,
  text: text,
  client_msg_id: text,
  parent_user_id: text,
  edited: z.looseObject({ ts: z.string() }).nullish(),
  files: z.array(File).nullish(),
  attachments: z.array(Attachment).nullish().catch(null),
})
export const Changed = z.looseObject({
  channel: id,
  channel_type: text,
  message: Message.omit({ channel: true }),
  previous_message: z.looseObject({ text: text, user: text }).nullish(),
})
export const Deleted = z.looseObject({
  channel: id,
  deleted_ts: id,
  previous_message: z.looseObject({ user: text, thread_ts: text }).nullish(),
})
export const Envelope = z.looseObject({
  type: z.literal('event_callback'),
  team_id: text,
  enterprise_id: text,
  context_team_id: text,
  event_id: z.string().default(''),
  event_time: z.number().default(Infinity),
  authorizations: z
    .array(
      z.looseObject({
        team_id: text,
        enterprise_id: text,
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .nullish(),
  event: z.looseObject({ type: z.string(), subtype: text }),
})
export type Envelope = z.infer<typeof Envelope>
export const User = z.looseObject({
  id,
  name: text,
  username: text,
  team_id: text,
})
export const Gesture = z.looseObject({
  team: z.looseObject({ id, enterprise_id: text }).nullish(),
  enterprise: z.looseObject({ id }).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  user: User,
})
export const BlockActions = Gesture.extend({
  type: z.literal('block_actions'),
  channel: z.looseObject({ id }).nullish(),
  message: z.looseObject({ ts: z.string(), thread_ts: text }).nullish(),
  view: z.looseObject({ type: z.string() }).nullish(),
  trigger_id: z.string().default(''),
  actions: z.array(z.looseObject({ action_id: z.string(), value: text, action_ts: z.string().default('') })).min(1),
})
export const ViewSubmission = Gesture.extend({
  type: z.literal('view_submission'),
  view: z.looseObject({
    id,
    callback_id: z.string(),
    private_metadata: z.string().default(''),
    state: z.looseObject({
      values: z.record(z.string(), z.record(z.string(), z.looseObject({ value: text }))).default({}),
    }),
  }),
})
export const MessageAction = Gesture.extend({
  type: z.literal('message_action'),
  callback_id: z.string(),
  action_ts: z.string().default(''),
  channel: z.looseObject({ id }),
  message: Message.omit({ channel: true }),
})
export const Command = z.looseObject({
  command: z.string().startsWith('/'),
  text: z.string().default(''),
  team_id: id,
  enterprise_id: text,
  is_enterprise_install: z.union([z.boolean(), z.string()]).nullish(),
  channel_id: id,
  user_id: id,
  user_name: z.string().default(''),
  trigger_id: z.string().default(''),
})
export const Opened = z.looseObject({ user: id, tab: text, channel: text })
export const Joined = z.looseObject({ channel: id, user: id, inviter: text })
export const Reacted = z.looseObject({
  user: id,
  item_user: text,
  item: z.looseObject({ type: z.literal('message'), channel: id, ts: id }),
})
export const Revoked = z.looseObject({ tokens: z.looseObject({ bot: z.array(z.string()).nullish() }) })
export const Stopped = z.looseObject({
  channel: text,
  channel_id: text,
  thread_ts: id,
  user: text,
  user_id: text,
})
