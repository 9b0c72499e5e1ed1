import type { Installation } from '../contracts/input.ts'
import { hasEnded } from '../domain/run.ts'
import { askingOf } from '../drive/run-asking.ts'
import { type KeptTests, keptTest } from '../evaluation/kept-test.ts'
import type { PlaceOf } from '../place.ts'
import type { Store } from '../ports/store.ts'
import type { Toolbox } from '../tools/registry.ts'
import { type Handler, needing, tellPrivately } from './context.ts'

export interface KeepTestDeps {
  store: Pick<Store, 'runs'>
  toolbox: Toolbox
  installation: Installation
  placeOf: PlaceOf
  threadTokens: number
  /** Where tests are written; none are kept where it is left out. */
  tests?: KeptTests
}

/** C732: keeps a run as a test, from what is stored of it, with what would have been right. */
export const keepTestHandler = (deps: KeepTestDeps): Handler =>
  needing('answer', async (turn) => {
    const { content } = turn.entry.event
    if (content.kind !== 'keep_test') return null
    const { core } = turn.words
    const run = turn.namedRun
    if (run === null) return tellPrivately(turn, core.runNotFound)
    if (deps.tests === undefined) return tellPrivately(turn, core.test.off)
    const task = (await deps.store.runs.state(run.workspace, run.id))?.task ?? null
    if (task === null || task.strategy === 'coding' || !hasEnded(run.status))
      return tellPrivately(turn, core.test.none)
    const asking = askingOf(run)
    const { conversation } = turn.state
    await deps.tests.keep(
      keptTest({
        run,
        task,
        right: content.right,
        tools: deps.toolbox
          .cards(asking)
          .flatMap(({ name }) => deps.toolbox.get(name, asking) ?? []),
        surroundings: {
          locale: conversation.locale,
          timeZone: run.timeZone ?? conversation.timeZone,
          threadTokens: deps.threadTokens,
          place: await deps.placeOf(conversation, turn.signal),
          installation: deps.installation,
          overheard: [...(await turn.overheard())],
        },
      }),
    )
    return tellPrivately(turn, core.test.kept)
  })
