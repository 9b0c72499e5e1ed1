import type { Log } from '../../agent/ports/log.ts'
import { type Connection, channelIn } from './connection.ts'

const pattern = 'clew:{*}:news'

/** What is published of a change: the conversation, and the names of what waits no more (C190), which hold no blank. */
export const newsOf = (conversationId: string, gone: readonly string[]) =>
  [conversationId, ...gone].join(' ')

/**
 * Which conversation changed, of whichever workspace, as the commits publish it: a hint and never stored. It fits what the web
 * adapter declares.
 */
export const createRedisNews = ({ connect, log }: { connect(): Connection; log: Log }) => ({
  /** @returns how to stop listening. */
  listen(
    heard: (workspace: string, conversationId: string, gone: readonly string[]) => void,
  ): () => void {
    const connection = connect()
    connection.on('pmessage', (_pattern, channel, news) => {
      const [conversationId = '', ...gone] = news.split(' ')
      heard(channel.slice('clew:{'.length, channel.lastIndexOf('}')), conversationId, gone)
    })
    connection
      .psubscribe(channelIn(connection, pattern))
      .catch((error) => log.debug({ err: error }, 'news are not heard'))
    return () => connection.disconnect()
  },
})
