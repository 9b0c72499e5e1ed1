import { sourceOf } from './domain/event-source.ts'
import type { Hooks } from './hooks.ts'
import type { Clock } from './ports/clock.ts'
import type { FolderFile, Library } from './ports/library.ts'
import type { Store } from './ports/store.ts'

export interface FolderWatchDeps {
  library: Pick<Library, 'names' | 'files'>
  hooks: Pick<Hooks, 'happened'>
  store: Pick<Store, 'alarms' | 'events' | 'notes'>
  clock: Pick<Clock, 'now'>
}

/** Time for which a file has to stay as it is before it is whole, in ms. */
const settledMs = 5_000
/** New files that start work in one look; the others come in the next ones. */
const startedMost = 10

/**
 * Looks for files that are new in the folders for which there are rules (C786). What came before a
 * rule is not new to it. A file is noted as seen after the rules have it stored.
 */
export async function watchFolders(deps: FolderWatchDeps, signal: AbortSignal): Promise<void> {
  for (const workspace of await deps.store.alarms.workspaces()) {
    const rules = await deps.store.events.list(workspace)
    const wanted = new Set(
      rules.map(({ schedule: { when } }) => (when.kind === 'event' ? when.source : '')),
    )
    for (const name of deps.library.names)
      if (wanted.has(sourceOf('folder', name)) && !signal.aborted)
        await look(deps, workspace, name, signal)
  }
}

async function look(
  { library, hooks, store, clock }: FolderWatchDeps,
  workspace: string,
  name: string,
  signal: AbortSignal,
) {
  const found = await library.files(name, signal)
  if (found === null || signal.aborted) return
  const note = `${sourceOf('folder', name)} files`
  const now = clock.now()
  const known = (await store.notes.get(workspace, note)) ?? ''
  const seen = new Set(known.split('\n'))
  const kept = new Set(found.flatMap(({ path }) => (seen.has(path) ? [path] : [])))
  let started = 0
  for (const file of found) {
    const isWhole = now - file.changedAt >= settledMs
    if (seen.has(file.path) || !isWhole || started >= startedMost) continue
    const what = { workspace, channel: null, sources: [sourceOf('folder', name)], at: file.addedAt }
    started += await hooks.happened(what, async () => toldOf(name, file))
    kept.add(file.path)
  }
  const next = [...kept].join('\n')
  if (next !== known) await store.notes.put(workspace, note, next, null)
}

const toldOf = (folder: string, { path, bytes, changedAt }: FolderFile) => ({
  id: `${path} ${bytes} ${changedAt}`,
  data: {
    folder,
    path,
    file: `${folder}/${path}`,
    bytes,
    changed: new Date(changedAt).toISOString(),
  },
})
