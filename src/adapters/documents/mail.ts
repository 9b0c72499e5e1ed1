import PostalMime, { type Address } from 'postal-mime'
import type { Readable } from '../../agent/domain/document.ts'
import { inLines, tidy } from '../../agent/tools/fetch/tidy.ts'
import { textOfHtml } from './html.ts'

/** Reads a saved mail: sender, recipients, date, text, and the names of attachments (C408). */
export async function readMail(bytes: Uint8Array): Promise<Readable> {
  const mail = await PostalMime.parse(bytes)
  const head = [
    ['From', namesOf(mail.from === undefined ? [] : [mail.from])],
    ['To', namesOf(mail.to)],
    ['Cc', namesOf(mail.cc)],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
  ]
  const lines = head.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  const body = inLines(mail.text?.replace(/^\n+/, '') ?? '') || textOfHtml(mail.html ?? '')
  if (lines.length === 0 && body === '') throw new Error('no mail')
  const files = mail.attachments.map(({ filename, mimeType }) => filename ?? mimeType)
  return {
    title: '',
    text: [tidy(lines.join('\n')), body].join('\n').trim(),
    gaps: [{ code: 'files', items: files }],
  }
}

const namesOf = (people: readonly Address[] | undefined) =>
  (people ?? [])
    .flatMap((one) => (one.group === undefined ? [one] : one.group))
    .map(({ name, address }) => (name === '' ? address : `${name} <${address}>`))
    .join(', ')
