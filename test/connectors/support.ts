import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../adapters/web/support.ts'

export const secrets = {
  ci: 'the-secret-of-the-build-server',
  desk: 'the-secret-of-the-service-desk',
}

/** A file of two connectors: one that may report on the page, and one that is only asked. */
export async function connectorsFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'clew-connectors-')), 'connectors.json')
  const connectors = {
    ci: { secret: secrets.ci, runTypes: ['agent_task', 'sleep'], channels: ['web:local/web'] },
    desk: { secret: secrets.desk },
  }
  await writeFile(path, JSON.stringify({ connectors }))
  return path
}

export interface StartedBody {
  id: string
  conversationId: string | null
  groupRunId: string | null
  duplicate: boolean
  error?: { code: string; message: string }
}

/** The API as one of them sees it. */
export function connectorAt(url: () => string, secret: string) {
  const headers = { authorization: `Bearer ${secret}` }
  return {
    async start(body: object) {
      const answer = await ask(`${url()}/api/runs`, 'POST', body, headers)
      return { status: answer.status, body: answer.body as StartedBody }
    },
    get: async (path: string) => await ask(url() + path, 'GET', undefined, headers),
  }
}
