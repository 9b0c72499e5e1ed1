import type { Target } from './points.ts'

/** Points that this path cannot reach, and why. Everything else must be reached. */
export const unreachable: Readonly<Record<string, string>> = {
  'notes.get': 'the page keeps no notes',
  'notes.put': 'the page keeps no notes',
  'notes.drop': 'the page keeps no notes',
  'notes.claim': 'the page keeps no notes',
  'outbox.trying': 'what is sent twice to the page is there once',
  'outbox.reserve': 'the page is paced by each process for itself',
  'channel.find': 'what is sent twice to the page is there once',
  'conversations.list': 'the page lists what it needs by its own index',
  'store.list': 'only the page asks for what needs somebody',
  'store.find': 'only the page asks what was said where',
  'store.page': 'only the page asks for the calendar',
  'store.gone': 'only the page asks for the calendar',
  'usage.figures': 'only the page asks for figures',
  'backlog.of': 'only the page asks for what waits',
  'backlog.sendAgain': 'no platform refuses anything in this story',
  'conversations.arrange': 'nobody renames, pins or puts away a thread in this story',
  'conversations.contents': 'nobody deletes a thread in this story',
  'conversations.remove':
    'nobody deletes a thread in this story; what it does is what retention.purge does',
  'store.people': 'nobody is exported or erased in this story',
  'store.kept': 'nobody is exported or erased in this story',
  'store.erase': 'nobody is exported or erased in this story',
  'store.handOver': 'nobody leaves in this story',
  'artifacts.save': 'this story makes no file',
  'artifacts.keep': 'nobody hands in a long file',
  'artifacts.keptNames': 'this story makes no file',
  'artifacts.kept': 'nobody hands in a long file',
  'tool files.run': 'this story makes no file',
  'tool read_thread.run': 'the page has no other threads to read',
  'tool channel_history.run': 'the page has no channels',
  'tool find_people.run': 'the page knows nobody else',
  'tool tables.run': 'nobody hands in a table in this story',
  'tool message.prepare': 'nobody is written to elsewhere in this story',
  'tool message.run': 'nobody is written to elsewhere in this story',
  'tool canvas.run': 'the page has no canvases',
  'tool team_search.run': 'nobody asks for something earlier in this story',
  'conversations.see': 'nobody has a failed task as seen in this story',
  'store.drop': 'the retention removes no approval in this story',
  'store.end': 'nobody takes back an approval that stays in this story',
  'store.uses': 'no approval stays in this story',
  'store.pass': 'no event comes in in this story',
  'store.append': 'nobody is exported or erased in this story',
  'store.head': 'only the audit posts it',
  'store.newest': 'only the audit shows it',
  'store.ofThread': 'only the audit shows it',
  'store.rows': 'only the audit shows it',
  'leases.failed': 'no row of this story fails every time',
  'runs.admit':
    'no connector is in this story; test/connectors and gather-crash.long.test.ts end lives there',
  'runs.remains': 'no row of this story is damaged',
  'memories.owners': 'only the page asks for it',
  'memories.history': 'only the page and /memory show ask for it',
  'channel.attachments': 'no message of this story has files',
  'channel.listen': 'called on the channel itself before it is wired, not through its port',
}

export function isReachable(point: string): boolean {
  return !Object.keys(unreachable).some((name) => point.startsWith(`${name}:`))
}

/** At most `most` of the `count` hits of a point: the first, the last and some between. */
function hitsOf(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, index) => index + 1)
  const hits = Array.from({ length: most }, (_, index) =>
    Math.round(1 + (index * (count - 1) * 0.9) / Math.max(1, most - 1)),
  )
  return [...new Set(hits)]
}

/** One target for every point that was reached, and for those that are reached often several. */
export function targetsOf(counts: ReadonlyMap<string, number>, most: number): Target[] {
  return [...counts].flatMap(([point, count]) => hitsOf(count, most).map((hit) => ({ point, hit })))
}

/** Points that were never reached although they could be. */
export function unreached(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .filter(([point, count]) => count === 0 && isReachable(point))
    .map(([point]) => point)
}

/**
 * Gives each story a second crash, soon after the first: at a point that is passed again and again, so that recovery is
 * cut off too. Two are safe: a run that is taken over three times at one step gives up (P14).
 */
export function withSecond(
  targets: readonly Target[],
  counts: ReadonlyMap<string, number>,
  random: () => number,
): Target[][] {
  const often = [...counts].filter(([, count]) => count >= 12).map(([point]) => point)
  return targets.map((target) => {
    const point = often[Math.floor(random() * often.length)]
    return point === undefined ? [target] : [target, { point, hit: 1 + Math.floor(random() * 4) }]
  })
}

/**
 * As few stories as bring every target: points that are passed again and again come second, where recovery is cut off too;
 * the others come first, each in a story of its own.
 */
export function inPairs(
  targets: readonly Target[],
  counts: ReadonlyMap<string, number>,
  random: () => number,
): Target[][] {
  const isOften = ({ point }: Target) => (counts.get(point) ?? 0) >= 12
  const second = targets.filter(isOften).sort(() => random() - 0.5)
  const stories = targets
    .filter((target) => !isOften(target))
    .map((first, index) => [first, ...second.slice(index, index + 1)])
  return [...stories, ...second.slice(stories.length).map((target) => [target])]
}

/** Numbers from 0 to 1 that follow from a seed (P16). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Stories of several crashes each, for hosts whose every life is dear. All but the last of each come after a few commits of
 * their life, so that no run is cut off at one step again and again.
 */
export function chains(
  targets: readonly Target[],
  counts: ReadonlyMap<string, number>,
  { length, random }: { length: number; random: () => number },
): Target[][] {
  // How often a lease is renewed hangs on how long the story takes: a slow one counts more than the next will come to.
  const often = [...counts].flatMap(([point, count]) =>
    count >= 30 && !point.startsWith('leases.renew:') ? [point] : [],
  )
  return targets.map((last) => {
    const before = Array.from({ length: length - 1 }, () => {
      const point = often[Math.floor(random() * often.length)] ?? last.point
      return { point, hit: Math.round((counts.get(point) ?? 0) * (0.1 + 0.15 * random())) }
    })
    return [...before, { point: last.point, hit: 1 }]
  })
}
