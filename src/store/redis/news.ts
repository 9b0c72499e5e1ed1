import type { Log } from '../../agent/ports/log.ts'
import { type Connection, channelIn } from './connection.ts'

const pattern = 'clew:{*}:news'

/**
 * Text that is published of a change: the conversation, then the names of entries that wait no more
 * (C190). None holds a blank.
 */
export const newsOf = (conversationId: string, gone: readonly string[]) =>
  [conversationId, ...gone].join(' ')

/**
 * Listener for changed conversations, of whichever workspace, as commits publish them. A change is
 * a hint and never stored. Has the shape that the web adapter declares.
 */
export const createRedisNews = ({ connect, log }: { connect(): Connection; log: Log }) => ({
  /** @returns a function that stops listening. */
  listen(heard: (workspace: string, conversationId: string, gone: readonly string[]) => void) {
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
