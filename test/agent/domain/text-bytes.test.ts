import { describe, expect, it } from 'vitest'
import { fileKindOf } from '../../../src/agent/domain/document.ts'
import { certainText } from '../../../src/agent/domain/text-bytes.ts'

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const swapped = (text: string): Buffer => utf16(text).swap16()

describe('a text whose encoding is certain (C405)', () => {
  it.each([
    ['utf-8', Buffer.from('\ufeffName;Betrag')],
    ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('Name;Betrag')])],
    ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped('Name;Betrag')])],
    ['utf-16le', utf16('Name;Betrag')],
    ['utf-16be', swapped('Name;Betrag')],
    ['utf-8', Buffer.from('Name;Betrag')],
  ])('is read as %s', (encoding, bytes) => {
    expect(certainText(bytes)).toEqual({ text: 'Name;Betrag', encoding })
  })

  it('is none where bytes fit no encoding for certain', () => {
    for (const hex of ['4de3', '00000000', 'fffe0000410000000a000000', '410042'])
      expect(certainText(Buffer.from(hex, 'hex')), hex).toBeNull()
  })
})

describe('the kind of a file (C405)', () => {
  it.each([
    ['Main.kt', 'application/octet-stream', 'fun main() = println(1)'],
    ['Dockerfile', '', 'FROM node:24'],
    ['fix.patch', 'text/x-diff', '--- a/x\n+++ b/x'],
    ['invite.ics', 'application/octet-stream', 'BEGIN:VCALENDAR'],
    ['main.ts', 'video/mp2t', 'export const x = 1'],
  ])('is text by its content, whatever its name and type are: %s', (name, type, text) => {
    expect(fileKindOf({ name, type }, Buffer.from(text))).toBe('text')
    expect(fileKindOf({ name, type }, utf16(text))).toBe('text')
  })

  it('is a table if its name says so, whatever its type is', () => {
    const file = { name: 'umsatz.csv', type: 'application/vnd.ms-excel' }
    expect(fileKindOf(file, Buffer.from('a;b'))).toBe('csv')
  })

  it('is null for bytes that are neither text nor a document, whatever their name is', () => {
    for (const name of ['song.mp3', 'notes.txt', 'core'])
      expect(fileKindOf({ name, type: 'text/plain' }, Buffer.from([1, 0, 0, 2, 3]))).toBeNull()
  })

  it.each([
    ['pdf', '\n%PDF-1.4'],
    ['zip', 'PK\x03\x04'],
    ['rtf', '{\\rtf1'],
    ['ole', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['text', 'A file that begins with %PDF- is a PDF'],
  ])('is that of a document by its first bytes: %s', (kind, bytes) => {
    expect(fileKindOf({ name: 'scan.bin', type: '' }, Buffer.from(bytes, 'latin1'))).toBe(kind)
  })
})
