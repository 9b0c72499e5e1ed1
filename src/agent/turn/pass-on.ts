import { isReply } from '../domain/elsewhere.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type PassOnDeps, passOn } from '../kernel/pass-on.ts'
import { answerWith, type Handler, needing } from './context.ts'

/** The first words of who was asked here are the answer that another thread waits for (C843). */
export const passOnHandler = (deps: PassOnDeps): Handler =>
  needing('answer', async (turn) => {
    const { id, asks, address } = turn.state.conversation
    const { content, author, at, whose } = turn.entry.event
    if (asks == null || asks.isOver || content.kind !== 'message' || author.id !== asks.of.id)
      return null
    if (!isReply(turn.text)) return null
    const said = { text: turn.text.trim(), at, whose }
    const became = await passOn(deps, address.workspace, asks, said)
    return mergeChanges(answerWith(turn, turn.words.elsewhere[became](asks.by.name)), {
      conversation: { id, patch: { asks: { ...asks, isOver: true } } },
    })
  })
