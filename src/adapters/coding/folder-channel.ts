import { join } from 'node:path'
import type { Letter } from '../../agent/domain/mission.ts'
import type { CodingFolder } from '../../agent/ports/coding-folder.ts'
import { exists, placesIn, prepare, readStart, writeWhole } from './folder.ts'
import { missionPage } from './mission-page.ts'
import { readReport, reportFileNames, taskFile, taskFileName } from './protocol.ts'

/** Longest part of a report that is read, in bytes. */
const reportMost = 256 * 1024

/**
 * Port to a coding agent through a folder of files (R126, R127). The files hold nothing that is not
 * in Redis (C41).
 */
export function createCodingFolder(folder: string): CodingFolder {
  const places = placesIn(folder)

  /**
   * Writes a task file, once. Only this function creates task files, and they move only from
   * `pending` to `processed`. A file found in neither, checked in this order, was never written.
   */
  async function put(letter: Letter) {
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
