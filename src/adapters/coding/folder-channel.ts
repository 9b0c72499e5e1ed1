import { join } from 'node:path'
import type { Letter } from '../../agent/domain/mission.ts'
import type { CodingFolder } from '../../agent/ports/coding-folder.ts'
import { exists, placesIn, prepare, readStart, writeWhole } from './folder.ts'
import { missionPage } from './mission-page.ts'
import { readReport, reportFileNames, taskFile, taskFileName } from './protocol.ts'

/** Of a report, in bytes; the rest of a longer one is not read. */
const reportMost = 256 * 1024

/** The port to a coding agent as a folder of files (R126, R127). They carry what Redis knows, and nothing else (C41). */
export function createCodingFolder(folder: string): CodingFolder {
  const places = placesIn(folder)

  /**
   * Only this writes task files, and they only move from pending to processed: when one is found in neither, looked for in this
   * order, it was never written.
   */
  async function put(letter: Letter): Promise<void> {
    await prepare(folder)
    const name = taskFileName(letter.id)
    if ((await exists(join(places.pending, name))) || (await exists(join(places.processed, name))))
      return
    await writeWhole(join(places.pending, name), taskFile(letter))
  }

  return {
    async handOver(letter, mission) {
      await writeWhole(places.mission(letter.missionId), missionPage(mission, 'running'))
      await put(letter)
    },
    async look(id) {
      for (const name of reportFileNames(id)) {
        const found = await readStart(join(places.reports, name), reportMost)
        if (found !== null) return { size: found.size, report: readReport(found.text) }
      }
      return null
    },
    async dismiss(letter, mission, status) {
      await writeWhole(places.mission(letter.missionId), missionPage(mission, status))
      await put(letter)
    },
  }
}
