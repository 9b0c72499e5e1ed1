import { CFB } from '@e965/xlsx'
import { z } from 'zod'
import type { Readable } from '../../agent/domain/document.ts'
import { readSheets } from './sheets.ts'
import { Unread } from './unread.ts'

const Container = z.object({ FileIndex: z.array(z.object({ name: z.string() })) })

/**
 * The container of Office before 2007, and of locked files since (C408): a workbook is read.
 *
 * @throws {Unread} for old Word and PowerPoint files, and for locked ones.
 */
export async function readOle(bytes: Uint8Array): Promise<Readable> {
  const { FileIndex } = Container.parse(CFB.read(Buffer.from(bytes), { type: 'buffer' }))
  const streams = FileIndex.map(({ name }) => name)
  if (streams.includes('EncryptedPackage')) throw new Unread('unreadable')
  if (!streams.some((name) => name === 'Workbook' || name === 'Book'))
    throw new Unread('old_format')
  return await readSheets(bytes)
}
