import { z } from 'zod'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import type { Draft } from '../../agent/ports/drafts.ts'
import type { Log } from '../../agent/ports/log.ts'
import { type Connection, channelIn } from './connection.ts'

const name = 'clew:drafts'
const PublishedDraft = z.object({ conversationId: z.string(), text: z.string().nullable() })
/** Longest draft that is published, in characters. A longer text is shown when it is complete. */
const longest = 20_000

/**
 * Drafts, published by whichever process asks a model to those that serve the page, and never
 * stored. Has the shape that the core and the web adapter declare.
 */
export function createRedisDrafts({
  redis,
  connect,
  log,
}: {
  redis: Connection
  connect(): Connection
  log: Log
}) {
  return {
    tell(draft: Draft) {
      if ((draft.text?.length ?? 0) > longest) return
      redis
        .publish(channelIn(redis, name), JSON.stringify(draft))
        .catch((error) => log.debug({ err: error }, 'a draft was lost'))
    },
    /** @returns a function that stops listening. */
    listen(heard: (draft: Draft) => void) {
      const connection = connect()
      connection.on('message', (_name, body) => {
        const told = PublishedDraft.safeParse(jsonIn(body))
        if (told.success) heard(told.data)
      })
      connection
        .subscribe(channelIn(connection, name))
        .catch((error) => log.debug({ err: error }, 'drafts are not heard'))
      return () => connection.disconnect()
    },
  }
}
