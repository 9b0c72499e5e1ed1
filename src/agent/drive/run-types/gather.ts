import type { Texts } from '../../../locales/texts.ts'
import { present } from '../../domain/present.ts'
import { hasEnded, type Run } from '../../domain/run.ts'
import { mergeChanges } from '../../kernel/change.ts'
import { type Idle, idle } from '../../kernel/idle.ts'
import { GatherInput } from '../../run-inputs.ts'
import { nullIfDamaged } from '../broken.ts'
import { type End, finishQuietly, finishRun } from '../finish.ts'
import { readScene } from '../scene.ts'
import type { Session } from '../session.ts'

/**
 * C123: waits until every run of a group has ended, or its time is over, and then reports all of
 * their results at once. Its mailbox names the runs as they come and as they end, and is kept until
 * the report; so no end of a run can be missed, whichever process dies.
 */
export async function driveGather(session: Session): Promise<Idle> {
  const { deps, signal } = session
  while (!signal.aborted) {
    const { size, until } = GatherInput.parse(session.run.input)
    const inputs = await session.heard()
    const runs = await runsOf(session)
    const isWhole = runs.length >= size && runs.every(({ status }) => hasEnded(status))
    if (!isWhole && deps.clock.now() < until)
      return { kind: 'wakeAt', at: until, seen: inputs.length }
    const scene = await readScene(session)
    const change =
      runs.length === 0
        ? finishQuietly(scene)
        : mergeChanges(finishRun(scene, reportOn(scene.words.core.gather, runs, size)), {
            consume: inputs.length,
          })
    if ((await session.commit(change)) === 'committed') return idle
  }
  return idle
}

/** In the order in which they came; what cannot be read any more is told by its absence. */
async function runsOf({ deps, run, inputs }: Session): Promise<Run[]> {
  const ids = [...new Set(inputs.map(({ entryId }) => entryId))]
  const states = await Promise.all(
    ids.map((id) => deps.store.runs.state(run.workspace, id).catch(nullIfDamaged)),
  )
  return states.flatMap((state) => (state === null ? [] : [state.run]))
}

function reportOn(words: Texts['core']['gather'], runs: readonly Run[], size: number): End {
  const parts = runs.map(({ title, status, result, error }) => {
    if (status === 'succeeded') return words.succeeded(title, result ?? '')
    return status === 'failed' || status === 'given_up'
      ? words.failed(title, error ?? result)
      : words.other[status === 'canceled' ? 'canceled' : 'open'](title)
  })
  const missing = size - runs.length
  const text = present([...parts, missing > 0 && words.missing(missing, size)]).join('\n\n')
  const isGood = runs.some(({ status }) => status === 'succeeded')
  return { status: isGood ? 'succeeded' : 'failed', text }
}
