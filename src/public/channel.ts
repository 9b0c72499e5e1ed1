import type { Channel } from '../agent/ports/channel.ts'
import { ownPlatforms } from '../compose/own-channels.ts'

export type { Conversation } from '../agent/domain/conversation.ts'
export type { Delivery, DeliveryBody } from '../agent/domain/delivery.ts'
export type { InboundEvent } from '../agent/domain/event.ts'
export type { Author } from '../agent/domain/message.ts'
export type { ProgressView } from '../agent/domain/progress.ts'
export type { AnsweredQuestion, Question } from '../agent/domain/question.ts'
export type { Channel, Intake, IntakeResult, Sent } from '../agent/ports/channel.ts'

/** A channel whose traits are optional: without them its progress is not throttled. */
export type ChannelDefinition = Omit<Channel, 'progressEveryMs'> &
  Partial<Pick<Channel, 'progressEveryMs'>>

/**
 * Defines a platform on which Clew talks. Its workspaces are keys that begin with the platform's
 * name: `terminal:local`.
 *
 * An error from `send` or `show` means that it may or may not have arrived. Clew then looks for it
 * with `find` before it sends again.
 *
 * @throws Error if the platform's name is invalid or Clew's own.
 */
export function defineChannel(definition: ChannelDefinition): Channel {
  const { platform, progressEveryMs = 0 } = definition
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(platform) || ownPlatforms.some((own) => own === platform))
    throw new Error(`a channel cannot be called "${platform}"`)
  const { direct } = definition
  return {
    ...definition,
    progressEveryMs,
    start: (intake) => definition.start(intake),
    send: (delivery, conversation) => definition.send(delivery, conversation).catch(maybe),
    show: (progress, conversation) => definition.show(progress, conversation).catch(maybe),
    find: (delivery, conversation) => definition.find(delivery, conversation),
    direct:
      direct &&
      ((delivery, conversation, to) =>
        direct.call(definition, delivery, conversation, to).catch(maybe)),
    health: () => definition.health(),
    stop: () => definition.stop(),
  }
}

const maybe = () => ({ kind: 'unknown' as const })
