import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { z } from 'zod'
import type { Gap, Readable } from '../../agent/domain/document.ts'
import { textMost } from '../../agent/domain/document.ts'
import { inSections, type Part } from './sections.ts'

// The library creates a matrix at load time. Only drawing uses it, and the native package that
// provides it cannot run here.
Object.assign(globalThis, { DOMMatrix: Object })
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
// This module has no types. It is loaded here, so that no document's time pays for it.
await import(import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.mjs'))

/** Tables of Chinese, Japanese and Korean encodings. Most PDFs refer to them and few embed them. */
const cMapUrl = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdfjs-dist/package.json')))

/** Damaged pages after which a file is given up. */
const damagedMost = 40

/** Annotation on a page, such as a form field or a note (C406). */
const Annotation = z.object({
  subtype: z.string(),
  fieldType: z.string().nullish(),
  fieldName: z.string().nullish(),
  alternativeText: z.string().nullish(),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  checkBox: z.boolean().optional(),
  radioButton: z.boolean().optional(),
  exportValue: z.string().nullish(),
  buttonValue: z.string().nullish(),
  contentsObj: z.object({ str: z.string() }).optional(),
})
type Annotation = z.infer<typeof Annotation>

/**
 * Reads a PDF's text with its filled-in form fields and notes, page by page up to the limit (C406).
 */
export async function readPdf(bytes: Uint8Array): Promise<Readable> {
  const task = getDocument({ data: bytes, verbosity: 0, cMapUrl, useWasm: false })
  try {
    return await pagesOf(await task.promise)
  } finally {
    await task.destroy()
  }
}

async function pagesOf(pdf: PDFDocumentProxy): Promise<Readable> {
  const parts: Part[] = []
  let length = 0
  const empty: number[] = []
  const damaged: number[] = []
  for (let number = 1; number <= pdf.numPages && length < textMost; number += 1) {
    try {
      const words = await wordsOf(pdf, number)
      if (words.trim() === '') empty.push(number)
      parts.push({ name: `page ${number}`, text: words })
      length += words.length
    } catch (error) {
      if (error instanceof RangeError || damaged.length > damagedMost) throw error
      damaged.push(number)
    }
  }
  const { text, sections } = inSections(parts)
  const files = [...((await pdf.getAttachments().catch(() => null))?.keys() ?? [])]
  const gaps: Gap[] = [
    { code: 'damaged_pages', items: ranges(damaged) },
    { code: 'pages_without_text', items: text === '' ? [] : ranges(empty) },
    { code: 'files', items: files },
  ]
  if (text === '' && damaged.length > 0) throw new Error('no page can be read')
  return { title: '', text, sections, gaps }
}

async function wordsOf(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  try {
    const { items } = await page.getTextContent()
    const words = items.map((item) => {
      if (!('str' in item)) return ''
      return item.hasEOL ? `${item.str}\n` : item.str
    })
    const annotations = await page.getAnnotations().catch(() => [])
    const seen = annotations.map((one) => annotationText(Annotation.safeParse(one).data))
    return [words.join(''), ...seen.filter((line) => line !== '')].join('\n')
  } finally {
    page.cleanup()
  }
}

function annotationText(annotation: Annotation | undefined): string {
  if (annotation === undefined || ['Link', 'Popup'].includes(annotation.subtype)) return ''
  if (annotation.subtype === 'Widget') return fieldText(annotation)
  return annotation.contentsObj?.str.trim() ?? ''
}

/** Returns a form field's label and value, or an empty text for an empty field. */
function fieldText(field: Annotation): string {
  const label = field.alternativeText || field.fieldName?.replace(/^.*\./s, '') || ''
  const value = [field.fieldValue ?? []].flat().filter((one) => one !== '')
  if (field.fieldType === 'Tx' || field.fieldType === 'Ch')
    return value.length === 0 ? '' : `${label}: ${value.join(', ')}`
  const isOn = (on: string | null | undefined) => on != null && value.includes(on)
  if (field.checkBox === true) return `${label}: ${isOn(field.exportValue) ? '☒' : '☐'}`
  return field.radioButton === true && isOn(field.buttonValue)
    ? `${label}: ${field.buttonValue}`
    : ''
}

/** Groups ascending numbers into ranges: 2, 5–7. */
function ranges(numbers: readonly number[]): string[] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
}
