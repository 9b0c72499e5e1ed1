import { getDocumentProxy } from 'unpdf'
import type { Readable } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'
import { textMost } from './protocol.ts'

/** The words on the pages of a PDF, page after page until there are enough; none for pages that are pictures. */
export async function readPdf(bytes: Uint8Array): Promise<Readable> {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 })
  try {
    let text = ''
    for (let number = 1; number <= pdf.numPages && text.length < textMost; number += 1) {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
      text += '\n'
      page.cleanup()
    }
    return { title: '', text: tidy(text) }
  } finally {
    await pdf.loadingTask.destroy()
  }
}
