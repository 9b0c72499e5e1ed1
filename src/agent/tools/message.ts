import { type Texts, texts } from '../../locales/texts.ts'
import { type Address, isTeam } from '../domain/conversation.ts'
import {
  type Errand,
  errandInput,
  errandMost,
  errandQuestion,
  errandThread,
  exactTarget,
  linked,
  readErrand,
  readTarget,
  shownTarget,
  type Target,
  takeBackOffer,
} from '../domain/elsewhere.ts'
import type { Author } from '../domain/message.ts'
import { type SayElsewhereDeps, saidElsewhere, sayElsewhere } from '../kernel/say-elsewhere.ts'
import type { Tool, ToolContext, ToolResult } from '../ports/tool.ts'
import { createTargets, type TargetDeps } from './message/targets.ts'

export interface MessageDeps extends SayElsewhereDeps, Omit<TargetDeps, 'store'> {
  /** Web address of a place, or of the message that opened a thread; null where it has none. */
  linkTo(address: Address): string | null
  /** Address of what a call said elsewhere, once its platform has it; null: not soon. */
  postedAt(
    said: Pick<ToolContext, 'workspace' | 'effectId'>,
    signal: AbortSignal,
  ): Promise<Address | null>
}

const description = `Says something elsewhere in this workspace, only where a person asked for it. The input's first line is one of
tell #channel
tell @name
ask @name
and the text stands from the second line on, ready to be read there, without a greeting in anybody's name: who asks is said above it. At most ${errandMost} characters. "ask" waits for that person's first answer and brings it back; use it only when the work needs the answer. The person who asks sees and approves text and place first.`

/**
 * The tool `message` (C840): posts an approved text once in another channel, or to one person, in
 * the name of who asks, and nowhere that they cannot write to at that moment (S86).
 */
export function createMessageTool(deps: MessageDeps): Tool {
  const targets = createTargets(deps)
  return {
    name: 'message',
    effect: 'keyed',
    approval: 'always',
    offeredIn: (workspace) => isTeam(workspace) && targets.offers(workspace),
    description,
    check: (input) => problemIn(readErrand(input)),
    async prepare(input, context) {
      const errand = readErrand(input)
      const found = errand && (await targets.find(errand, context))
      if (errand === null || found === null)
        return { problem: texts(context.locale).elsewhere.form }
      if ('problem' in found) return found
      const { target, here } = found
      return { input: errandInput({ ...errand, to: exactTarget(target), here }) }
    },
    run: (input, context) => carryOut(deps, targets, input, context),
  }
}

function problemIn(errand: Errand | null): string | null {
  if (errand === null)
    return 'the first line is "tell" or "ask" and the place, such as "tell #marketing"; the text stands from the second line on'
  const { length } = errand.text
  return length > errandMost ? `the text has ${length} characters; at most ${errandMost}` : null
}

async function carryOut(
  deps: MessageDeps,
  targets: ReturnType<typeof createTargets>,
  input: string,
  context: ToolContext,
): Promise<ToolResult> {
  const { elsewhere: words } = texts(context.locale)
  const errand = readErrand(input)
  if (errand === null) return { ok: false, text: words.form }
  const before = await saidElsewhere(deps.store, context)
  if (before !== null) {
    const { asks, address } = before.conversation
    const known = { words, of: asks?.of ?? null, address, place: errand.to }
    return resultOf(deps, errand, { ...known, effectId: context.effectId })
  }
  const found = await targets.find(errand, context)
  if ('problem' in found) return { ok: false, text: found.problem }
  const { target, here, channel, owner } = found
  const place = shownTarget(target)
  if (here) return calledHere(errand, { words, target, owner })
  const { workspace, effectId, runId = '', locale, timeZone, signal } = context
  const of = errand.kind === 'ask' ? { id: target.id, name: target.name } : null
  const asks = of && { questionId: errandQuestion(effectId), runId, by: owner, of }
  const text = words[errand.kind](owner.name, errand.text)
  const saying = { workspace, channel, text, by: owner, runId, effectId, locale, timeZone, asks }
  await sayElsewhere(deps, saying, signal)
  const isDirect = target.kind === 'person'
  const posted = isDirect ? null : await deps.postedAt({ workspace, effectId }, signal)
  const address = posted ?? { workspace, channel, thread: null }
  return resultOf(deps, errand, { words, of, address, place, effectId })
}

interface Posted {
  words: Texts['elsewhere']
  /** Person whose answer is awaited. */
  of: Author | null
  address: Address
  place: string
  effectId: string
}

function resultOf(
  { linkTo }: MessageDeps,
  { text }: Errand,
  { words, of, address, place, effectId }: Posted,
): ToolResult {
  const link = linkTo(address)
  if (of !== null)
    return { ok: true, text: words.asked(place), awaits: { of, place, link, text, here: false } }
  const posted = words.posted(linked(place, link))
  const links = link === null ? [] : [link]
  const isDirect = readTarget(place).sign === '@'
  const offers = [takeBackOffer(words.takeBack, { thread: errandThread(effectId), isDirect })]
  return { ok: true, text: words.posted(place), note: { text: posted, offers, links } }
}

/** Somebody of the thread is called in it: nothing leaves it. */
function calledHere(
  { kind, text }: Errand,
  { words, target, owner }: { words: Texts['elsewhere']; target: Target; owner: Author },
): ToolResult {
  const { id, name } = target
  const place = shownTarget(target)
  const of = { id, name }
  if (kind === 'ask')
    return {
      ok: true,
      text: words.asked(place),
      awaits: { of, place, link: null, text, here: true },
    }
  const note = { text: words.tell(owner.name, text), offers: [], to: of }
  return { ok: true, text: words.calledHere(place), note }
}
