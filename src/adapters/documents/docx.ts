import mammoth from 'mammoth'
import type { Readable } from '../../agent/domain/document.ts'
import { textOfHtml } from './html.ts'

/** The words of a Word document: paragraphs, lists and rows of tables on lines of their own. Pictures are left out. */
export async function readDocx(bytes: Uint8Array): Promise<Readable> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  // A cell of one paragraph stays in its row.
  return {
    title: '',
    text: textOfHtml(value.replaceAll('<td><p>', '<td>').replaceAll('</p></td>', '</td>')),
  }
}
