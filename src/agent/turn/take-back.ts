import { readTakeBack } from '../domain/elsewhere.ts'
import { deriveId } from '../domain/id.ts'
import type { Offer } from '../domain/message.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type SayElsewhereDeps, sayElsewhere } from '../kernel/say-elsewhere.ts'
import { takeBack } from '../kernel/take-back.ts'
import { clausesOf, wordsIn } from '../said/parts.ts'
import {
  answerWith,
  type Handler,
  needing,
  personOf,
  type TurnContext,
  tellPrivately,
} from './context.ts'
import { answerThere, decided } from './offers.ts'

/** C940: takes back what the thread said elsewhere last, by its button or in words. */
export const takeBackHandler = (deps: SayElsewhereDeps): Handler =>
  needing('command', async (turn) => {
    const meant = meantIn(turn)
    if (meant === null) return null
    const { thread, isDirect, message } = meant
    const { elsewhere: words } = turn.words
    const { workspace } = turn.state.conversation.address
    const taking = { workspace, thread, by: personOf(turn), failed: words.notDeleted }
    const became = await takeBack(deps, taking, turn.signal)
    if (became !== 'taken')
      return tellPrivately(turn, words.stays[became], { kind: 'command', failed: true })
    if (isDirect) await tellThere(deps, turn, thread)
    const isPressed = turn.entry.event.whose.way === 'pressed'
    if (message !== null && isPressed)
      return answerThere(turn, message, { ok: true, text: words.takenBack })
    const closed = message === null ? {} : decided(turn, message, words.takenBack)
    return mergeChanges(answerWith(turn, words.takenBack, { kind: 'command' }), closed)
  })

/** The thread whose message is meant, and the message here that offers to take it back. */
function meantIn({ text, state, meant }: TurnContext) {
  const isSaid = meant !== 'others' && isTakingBack(text)
  const offered = ({ command }: Offer) =>
    isSaid ? readTakeBack(command) !== null : command === text.trim()
  const message = state.messages.findLast(({ offers = [] }) => offers.some(offered)) ?? null
  const command = isSaid ? (message?.offers?.find(offered)?.command ?? '') : text.trim()
  const named = readTakeBack(command)
  return named && { ...named, message }
}

function isTakingBack(text: string): boolean {
  const [first = '', ...more] = clausesOf(text) ?? []
  return more.length === 0 && wordsIn('back').includes(first.toLowerCase())
}

/** Who got it directly may have read it. */
async function tellThere(deps: SayElsewhereDeps, turn: TurnContext, thread: string) {
  const { workspace } = turn.state.conversation.address
  const there = await deps.store.conversations.state(workspace, thread, 0, 0)
  if (there === null) return
  const { address, locale, timeZone } = there.conversation
  const by = personOf(turn)
  const text = turn.words.elsewhere.takenBackThere(by.name)
  const effectId = deriveId('x', thread, 'told')
  const saying = { workspace, channel: address.channel, text, by, runId: '', effectId }
  await sayElsewhere(deps, { ...saying, locale, timeZone, asks: null }, turn.signal)
}
