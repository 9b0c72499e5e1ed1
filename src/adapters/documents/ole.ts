import { CFB } from '@e965/xlsx'
import { z } from 'zod'
import type { Readable } from '../../agent/domain/document.ts'
import { readSheets } from './sheets.ts'
import { Unread } from './unread.ts'

const Container = z.object({ FileIndex: z.array(z.object({ name: z.string() })) })

/**
 * Reads the container format of Office before 2007 and of password-protected files (C408). Only
 * workbooks can be read.
 *
 * @throws {Unread} for old Word and PowerPoint files, and for protected ones.
 */
export async function readOle(bytes: Uint8Array): Promise<Readable> {
  const { FileIndex } = Container.parse(CFB.read(Buffer.from(bytes), { type: 'buffer' }))
  const streams = FileIndex.map(({ name }) => name)
  if (streams.includes('EncryptedPackage')) throw new Unread('unreadable')
  if (!streams.some((name) => name === 'Workbook' || name === 'Book'))
    throw new Unread('old_format')
  return await readSheets(bytes)
}
