import type { Readable, Section } from '../../agent/domain/document.ts'
import { textMost } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'

/** Part of a document as its reader finds it: a page, a slide, a sheet, a file of a zip. */
export interface Part {
  name: string
  text: string
}

/** Puts parts together and notes where each of them begins; those without text are left out. */
export function inSections(parts: readonly Part[]): Pick<Readable, 'text' | 'sections'> {
  let text = ''
  const sections: Section[] = []
  for (const part of parts) {
    const words = tidy(part.text)
    if (words === '' || text.length > textMost) continue
    sections.push({ name: part.name, at: text.length })
    text += `${words}\n`
  }
  return { text: text.trimEnd(), sections }
}
