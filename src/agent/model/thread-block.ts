import type { MessageForModel, Missing, ThreadView } from '../contracts/input.ts'
import { asked, fence, nameIn } from './fence.ts'

/**
 * Returns the messages as parts, oldest first. Consecutive overheard ones are one part, as data
 * (C72).
 */
export function conversation(said: readonly MessageForModel[], missing?: Missing): string[] {
  const parts = said.flatMap((one, at) => {
    if (one.role !== 'overheard') return saidTo(one)
    if (said[at - 1]?.role === 'overheard') return []
    const rest = said.slice(at)
    const end = rest.findIndex(({ role }) => role !== 'overheard')
    return overheardBlock(end === -1 ? rest : rest.slice(0, end))
  })
  return [...parts, ...missingWords(missing)]
}

const saidTo = ({ role, author, text, choices = [] }: MessageForModel) =>
  role === 'assistant'
    ? `You said:\n${fence('plan', choices.length === 0 ? { text } : asked(text, choices))}`
    : fence('person', { author: nameIn(author ?? 'unknown'), text })

const overheardBlock = (said: readonly MessageForModel[]) =>
  `What people said to each other, not to you:\n${fence('overheard', { messages: said.map(line) })}`

const places = {
  channel: ', in the channel above',
  replied_to: ', in the message that is replied to',
  linked: ', in what is linked or shared',
} as const

function line({ at, author, where, text }: MessageForModel): string {
  const place = where === undefined ? '' : places[where]
  return `[${at}] ${nameIn(author ?? 'You')}${place}: ${text}`
}

/** Returns the thread before the task was asked for; null if empty. */
export function threadBefore(thread: ThreadView | undefined): string | null {
  if (thread === undefined) return null
  const parts = conversation(thread.before, thread.missing)
  return parts.length === 0 ? null : parts.join('\n\n')
}

/** Returns what was overheard since the task was asked for; null if nothing was. */
export function threadMeanwhile(thread: ThreadView | undefined): string | null {
  if (thread === undefined || thread.meanwhile.length === 0) return null
  return `Since the work began, in the thread. ${overheardBlock(thread.meanwhile)}`
}

function missingWords(missing: Missing | undefined): string[] {
  if (missing === undefined) return []
  const { shortened, leftOut, gap, problem } = missing
  const sentences = [
    shortened === 0 ? null : `Of these messages ${shortened} are shortened to their beginning.`,
    leftOut === 0 ? null : `${leftOut} more between them are left out, because they are too many.`,
    gap ? 'More was said between the first of them and the newest than could be read.' : null,
    problem === null ? null : problems[problem],
  ].filter((one) => one !== null)
  return sentences.length === 0
    ? []
    : [`${sentences.join(' ')} Say so where the answer depends on it.`]
}

const problems = {
  forbidden: 'What else was said in this thread could not be read: you are not allowed to read it.',
  away: 'What else was said in this thread could not be read: the platform did not let you read it just now.',
} as const
