import type { AttachedImage } from '../domain/attached-image.ts'
import type { Usage } from '../domain/budget.ts'
import type { Address } from '../domain/conversation.ts'
import type { InboxEntry } from '../domain/event.ts'
import { limitsIn, type ProfileIn } from '../domain/profile.ts'
import { noUsage, plus, type UsageLimits } from '../domain/usage.ts'
import { attachedImage, keepImage } from '../kernel/images.ts'
import { createMeter, payersOf } from '../kernel/usage-meter.ts'
import type { Hear, Look } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Listener } from '../ports/listener.ts'
import type { Model, Sight } from '../ports/model.ts'
import type { Notes } from '../ports/notes.ts'
import type { Store } from '../ports/store.ts'

interface EyeDeps {
  model: Pick<Model, 'sight'>
  /** Nothing is listened to where it is left out. */
  listener?: Listener | undefined
  usage: UsageLimits
  store: Pick<Store, 'usage'>
  clock: Pick<Clock, 'now'>
  /** None where it is left out. */
  profileIn?: ProfileIn
}

export type Eye = ReturnType<typeof createEye>
export type EyeOf = (address: Address, entry: InboxEntry) => Eye

/**
 * Looks at the images of one input and listens to its audio (C886), for as long as enough is left
 * to look with (C36, S8): the estimate of each image counts from before it is looked at until it is
 * known what that took.
 */
export function createEye(
  { model: { sight }, listener, usage, store, clock, profileIn }: EyeDeps,
  { workspace, channel }: Address,
  { id: entryId, event }: InboxEntry,
) {
  const meter = createMeter({
    limits: () => limitsIn(usage, profileIn?.(channel) ?? null),
    counts: store.usage,
    workspace,
    payers: payersOf(event.author, channel),
  })
  const counted: Usage[] = []
  const unlooked: string[] = []
  const images: { ref: AttachedImage; base64: string }[] = []
  let isWanted = false
  const sum = (usages: readonly Usage[]) => usages.reduce(plus, noUsage)
  const lookWith =
    (sight: Sight): Look =>
    async ({ name, ...image }, signal) => {
      const takes = await meter.takes(clock.now())
      // From here to the reckoning nothing waits, so that two images never take what is left for
      // one.
      if (!takes(sum([...counted, sight.estimate]))) {
        if (takes(noUsage)) unlooked.push(name)
        return { kind: 'used_up' }
      }
      const at = counted.push(sight.estimate) - 1
      const attached = attachedImage(entryId, { name, ...image })
      if (attached !== null) images.push(attached)
      const { words, usage } = await sight.look(image, signal)
      counted[at] = usage
      return words === null ? { kind: 'unknown' } : { kind: 'seen', words }
    }
  const hearWith =
    ({ listen }: Listener): Hear =>
    async (audio, signal) => {
      const takes = await meter.takes(clock.now())
      if (!takes(sum(counted))) return { kind: 'used_up' }
      const { words, usage } = await listen(audio, signal)
      counted.push(usage)
      return words === null ? { kind: 'unknown' } : { kind: 'seen', words }
    }
  return {
    /** Undefined where nothing looks at images. */
    look: sight && lookWith(sight),
    /** Undefined where nothing listens to audio. */
    hear: listener && hearWith(listener),
    /** Usage of all images and audio together. */
    spent: () => sum(counted),
    /**
     * The names of those for which too little was left; where nothing is left at all, that is what
     * people are told.
     */
    unlooked: (): readonly string[] => unlooked,
    /** Those that a task may have as they are, for one that gets them with this turn (C160). */
    forTask() {
      isWanted = true
      return images.map(({ ref }) => ref)
    },
    /** Keeps what a task gets, before the commit that says so. */
    async keep(notes: Pick<Notes, 'put'>) {
      if (!isWanted) return
      await Promise.all(
        images.map(({ ref, base64 }) => keepImage(notes, workspace, ref.id, base64)),
      )
    },
  }
}
