import { type Handler, marked } from './context.ts'

/** R146: what begins by mentioning somebody else is their talk; it stays in the history and starts nothing. */
export const forSomeoneElse: Handler = (turn) => {
  const { content } = turn.entry.event
  if (content.kind !== 'message' || !content.forSomeoneElse) return null
  return marked(turn, { kind: 'ignored', reason: 'for_someone_else' })
}
