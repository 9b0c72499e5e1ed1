import { createHmac } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireDescribed } from '../adapters/web/described.ts'
import { closes, type createFakeModel, ends, plans } from '../fakes/model.ts'

export const secret = 'the-secret-that-signs-all-events'
const here = ['web:local/web']

/** A file with one source of events for each sender, by its name. */
export async function sourcesFile(more: object = {}): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'clew-events-')), 'connectors.json')
  const names = ['github', 'gitlab', 'stripe', 'sentry', 'grafana', 'hmac', 'bearer']
  const each = names.map((from) => [from, { from, secret, channels: here }])
  const hooks = { ...Object.fromEntries(each), ...more }
  await writeFile(path, JSON.stringify({ hooks }))
  return path
}

export const hexOf = (text: string, by = secret): string =>
  createHmac('sha256', by).update(text).digest('hex')

/** Headers of a delivery as a program of the team's own signs it. */
export const signed = (body: string, id?: string): Record<string, string> => ({
  'x-signature-256': `sha256=${hexOf(body)}`,
  ...(id === undefined ? {} : { 'x-delivery-id': id }),
})

export async function send(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
  })
  const answer = { status: response.status, body: JSON.parse(await response.text()) }
  requireDescribed('POST', url, answer)
  return { ...answer, headers: response.headers }
}

/** Each task takes one step. */
export function everyTaskLooks(model: ReturnType<typeof createFakeModel>) {
  model.answer(({ contract }) => {
    if (contract === 'plan') return plans('Look')
    if (contract === 'thought') return closes('looked')
    return ends('Looked into it.')
  })
}
