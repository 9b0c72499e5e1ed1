import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import UPNG from 'upng-js'
import { docs } from './shared.ts'

/** Pictures of a page that follow each other, as one animated PNG. */
export function createFilm(page: Page) {
  const pictures: { png: Buffer; ms: number }[] = []
  return {
    /** Takes a picture, which is shown for `ms`. */
    async take(ms: number): Promise<void> {
      await page.evaluate(() => document.fonts.ready)
      pictures.push({ png: await page.screenshot({ animations: 'disabled' }), ms })
    },
    async save(name: string): Promise<void> {
      const images = pictures.map(({ png }) => UPNG.decode(new Uint8Array(png).buffer))
      const [first] = images
      if (first === undefined) throw new Error('a film needs a picture')
      const frames = images.flatMap((image) => UPNG.toRGBA8(image)[0] ?? [])
      const delays = pictures.map(({ ms }) => ms)
      const film = UPNG.encode(frames, first.width, first.height, 128, delays)
      await writeFile(join(docs, `${name}.png`), Buffer.from(film))
    },
  }
}
