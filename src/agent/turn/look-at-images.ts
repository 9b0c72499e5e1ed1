import type { AttachedImage } from '../domain/attached-image.ts'
import type { Usage } from '../domain/budget.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { attachedImage, keepImage } from '../kernel/images.ts'
import type { createMeter } from '../kernel/usage-meter.ts'
import type { Look } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sight } from '../ports/model.ts'
import type { Notes } from '../ports/notes.ts'

/** Looks at the images of one input, for as long as enough is left to look with (C36, S8). */
export interface Eye {
  look: Look
  /** What all of it took. */
  spent(): Usage
  /** Those that a task may have as they are, for one that gets them with this turn (C160). */
  forTask(): AttachedImage[]
  /** Keeps what a task gets, before the commit that says so. */
  keep(notes: Pick<Notes, 'put'>, workspace: string): Promise<void>
  /** The names of those for which too little was left; where nothing is left at all, that is what people are told. */
  unlooked(): readonly string[]
}

interface EyeDeps {
  meter: Pick<ReturnType<typeof createMeter>, 'takes'>
  clock: Pick<Clock, 'now'>
  /** The input that the images came with. */
  entryId: string
}

/** The estimate of each image counts from before it is looked at until it is known what that took. */
export function createEye(sight: Sight, { meter, clock, entryId }: EyeDeps): Eye {
  const counted: Usage[] = []
  const unlooked: string[] = []
  const images: { ref: AttachedImage; base64: string }[] = []
  let isWanted = false
  const sum = (usages: readonly Usage[]) => usages.reduce(plus, noUsage)
  return {
    spent: () => sum(counted),
    unlooked: () => unlooked,
    forTask() {
      isWanted = true
      return images.map(({ ref }) => ref)
    },
    async keep(notes, workspace) {
      if (!isWanted) return
      await Promise.all(images.map(({ ref, base64 }) => keepImage(notes, workspace, ref.id, base64)))
    },
    async look({ name, ...image }, signal) {
      const takes = await meter.takes(clock.now())
      // From here to the reckoning nothing waits, so that two images never take what is left for one.
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
    },
  }
}
