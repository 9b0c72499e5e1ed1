import { z } from 'zod'
import { AttachedImage, imageLimits, type ShownImage } from '../domain/attached-image.ts'
import { addSpent, ceilingReached, type Usage } from '../domain/budget.ts'
import type { Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { readImage } from '../kernel/images.ts'
import type { Model } from '../ports/model.ts'
import type { Notes } from '../ports/notes.ts'

interface ImageDeps {
  model: Pick<Model, 'image'>
  notes: Pick<Notes, 'get'>
  /** True if something is left of the day and month after so much more usage. */
  takes(more: Usage): Promise<boolean>
}

const Asked = z.object({ images: z.array(AttachedImage) })

/**
 * The images that people attached to what they ask of this task (C160), each read once; none where
 * no model takes any, or where what they may take is more than is left (C36, S8): then there is
 * what is told of them in words.
 */
export function openImages(
  { model, notes, takes }: ImageDeps,
  run: Run,
): (task: Task) => Promise<readonly ShownImage[]> {
  const read = new Map<string, Promise<ShownImage | null>>()
  const first = Asked.safeParse(run.input).data?.images ?? []
  function shown(ref: AttachedImage) {
    const image = read.get(ref.id) ?? readImage(notes, run.workspace, ref)
    read.set(ref.id, image)
    return image
  }
  return async (task) => {
    const each = model.image
    const refs = [...first, ...task.clarifications.flatMap(({ images = [] }) => images)].slice(
      -imageLimits.ofTask,
    )
    if (each === undefined || refs.length === 0) return []
    const estimate = refs.map(() => each).reduce(plus, noUsage)
    const spent = addSpent(task.spent, estimate)
    if (ceilingReached(task.limits, spent, task.allowanceFrom) !== null || !(await takes(estimate)))
      return []
    return (await Promise.all(refs.map(shown))).filter((image) => image !== null)
  }
}
