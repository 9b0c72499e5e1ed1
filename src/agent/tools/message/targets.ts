import { texts } from '../../../locales/texts.ts'
import { platformOf } from '../../domain/conversation.ts'
import {
  type Errand,
  exactTarget,
  readTarget,
  shownTarget,
  type Target,
} from '../../domain/elsewhere.ts'
import type { Author } from '../../domain/message.ts'
import type { Named, PlacesSource, Reach } from '../../ports/members.ts'
import type { Store } from '../../ports/store.ts'
import type { ToolContext } from '../../ports/tool.ts'
import { authorsIn } from '../../recall.ts'

export interface TargetDeps {
  /** Platforms that say whom and what people reach there. */
  sources: readonly Pick<PlacesSource, 'platform' | 'reach'>[]
  /** True if Clew works for a person in a channel, or with null anywhere. */
  mayUse(person: string, channel: string | null): boolean
  store: Pick<Store, 'conversations'>
}

/** Place of a message as the asking person reaches it now. */
export interface ReachedTarget {
  target: Target
  /** They are of this thread: nothing is posted elsewhere. */
  here: boolean
  /** Channel in which it is posted. */
  channel: string
  owner: Author
}
type Problem = { problem: string }

/** Newest messages of a thread among whose authors people are of the thread. */
const messagesRead = 200
/** Places that a sentence names. */
const namedMost = 5

/**
 * Looks up places and people as the asking person, anew for each call (S86). A name that leads to
 * none or several is a problem that says what to do; nothing is guessed.
 */
export function createTargets({ sources, mayUse, store }: TargetDeps) {
  const sourceOf = (workspace: string) =>
    sources.find(({ platform }) => platform === platformOf(workspace))

  async function find(errand: Errand, context: ToolContext): Promise<ReachedTarget | Problem> {
    const { workspace, owner = null, locale } = context
    const { elsewhere: words } = texts(locale)
    if (owner === null) return { problem: words.nobody }
    const reach = (await sourceOf(workspace)?.reach(workspace, owner.id)) ?? null
    if (reach === null) return { problem: words.unreachable(owner.name) }
    if (reach === 'away') return { problem: words.away }
    const authors = await authorsIn(store.conversations, context, messagesRead)
    const around = [...new Map(authors.map((author) => [author.id, author])).values()]
    const all = await candidates(reach, errand.to, around)
    if (all === 'away') return { problem: words.away }
    const [target, ...others] = all
    if (target === undefined) return { problem: words.unknown(errand.to) }
    if (others.length > 0)
      return { problem: words.several(errand.to, all.slice(0, namedMost).map(exactTarget)) }
    const whole = { errand, context, reach, owner, around }
    const found = await (target.kind === 'channel' ? channelFound : personFound)(target, whole)
    if ('problem' in found || found.here) return found
    const isMeant = target.kind === 'person' && errand.kind === 'ask'
    const speaker = isMeant ? target.id : owner.id
    return mayUse(speaker, found.channel)
      ? found
      : { problem: words.notAllowed(shownTarget(target)) }
  }

  return { offers: (workspace: string) => sourceOf(workspace) !== undefined, find }
}

interface Whole {
  errand: Errand
  context: ToolContext
  reach: Reach
  owner: Author
  around: readonly Author[]
}

async function channelFound(target: Target, whole: Whole): Promise<ReachedTarget | Problem> {
  const { errand, context, reach, owner } = whole
  const { elsewhere: words } = texts(context.locale)
  const place = shownTarget(target)
  if (errand.kind === 'ask' || errand.here) return { problem: words.onePerson(place) }
  const isOurs = await reach.isOurs(target.id)
  if (isOurs === 'away') return { problem: words.away }
  if (!isOurs) return { problem: words.notOurs(place) }
  return { target, here: false, channel: target.id, owner }
}

async function personFound(target: Target, whole: Whole): Promise<ReachedTarget | Problem> {
  const { errand, context, reach, owner, around } = whole
  const { elsewhere: words } = texts(context.locale)
  const place = shownTarget(target)
  if (target.id === owner.id) return { problem: words.toSelf }
  const isAround = around.some(({ id }) => id === target.id)
  if (errand.here && !isAround) return { problem: words.notHere(place) }
  // What was approved for a direct message stays one.
  const here = errand.here || (isAround && readTarget(errand.to).id === null)
  if (here) return { target, here, channel: context.channel, owner }
  const channel = await reach.direct(target.id)
  if (channel === 'away') return { problem: words.away }
  return channel === null ? { problem: words.noDirect(place) } : { target, here, channel, owner }
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Channels and people that a name can mean; one with its id means that alone. */
async function candidates(
  reach: Reach,
  to: string,
  around: readonly Author[],
): Promise<Target[] | 'away'> {
  const { sign, name, id } = readTarget(to)
  const found = await named(reach, { sign, name, id }, around)
  if (id === null || name === '' || found === 'away' || found.length > 0) return found
  return await named(reach, { sign, name: `${name} (${id})`, id: null }, around)
}

async function named(
  reach: Reach,
  { sign, name, id }: ReturnType<typeof readTarget>,
  around: readonly Author[],
): Promise<Target[] | 'away'> {
  const fits = (one: Named) =>
    id === null ? same(one.name, name) : one.id === id && (name === '' || same(one.name, name))
  const channels = sign === '@' ? [] : reach.channels.filter(fits)
  const people = sign === '#' ? [] : await peopleNamed(reach, { name, id }, around)
  if (people === 'away') return people
  const known = new Map(people.map((one) => [one.id, one]))
  return [
    ...channels.map(({ id: own, name: called }) => ({
      id: own,
      name: called,
      kind: 'channel' as const,
    })),
    ...Array.from(known.values(), (one) => ({ ...one, kind: 'person' as const })),
  ]
}

async function peopleNamed(
  reach: Reach,
  { name, id }: { name: string; id: string | null },
  around: readonly Author[],
): Promise<readonly Named[] | 'away'> {
  if (id !== null) {
    const person = await reach.person(id)
    if (person === 'away') return person
    return person !== null && (name === '' || same(person.name, name)) ? [person] : []
  }
  const found = await reach.people(name)
  if (found === 'away') return found
  const exact = found.people.filter((one) => same(one.name, name))
  const byWord = found.people.filter((one) =>
    one.name.split(/\s+/u).some((word) => same(word, name)),
  )
  const chosen = [exact, byWord, found.people].find((some) => some.length > 0) ?? []
  if (chosen.length > 0) return chosen
  // Where the platform finds nobody by name, those of the thread are known.
  const near = around.filter((one) => same(one.name, name))
  const members = await Promise.all(near.map((one) => reach.person(one.id)))
  return members.filter((one) => one !== null && one !== 'away')
}
