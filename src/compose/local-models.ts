import { z } from 'zod'

/** A model server and its default port. */
export interface LocalServer {
  name: string
  port: number
}

/**
 * Default ports, from docs.ollama.com/api/openai-compatibility, lmstudio.ai/docs/developer,
 * llama.cpp's tools/server/README.md and docs.vllm.ai (serving).
 */
export const usualServers: readonly LocalServer[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'llama.cpp', port: 8_080 },
  { name: 'vLLM', port: 8_000 },
]

/** A model on this machine that could be set. */
export interface LocalModel {
  server: string
  url: string
  model: string
}

/** Longest wait for a server, in ms: one on this machine answers quickly or is not there. */
const answerWithinMs = 500
const Models = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).min(1) })

/**
 * Finds the servers on this machine that list a model. Each is asked once for its list, and for
 * nothing else.
 */
export async function findLocalModels(servers: readonly LocalServer[]): Promise<LocalModel[]> {
  return (await Promise.all(servers.map(ask))).filter((one) => one !== null)
}

/** Finds the first of these servers that lists a model. */
export const findLocalModel = async (servers: readonly LocalServer[]): Promise<LocalModel | null> =>
  (await findLocalModels(servers))[0] ?? null

async function ask({ name: server, port }: LocalServer): Promise<LocalModel | null> {
  const url = `http://127.0.0.1:${port}/v1`
  try {
    const answer = await fetch(`${url}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const read = Models.safeParse(await answer.json())
    const [first] = read.success ? read.data.data : []
    return first === undefined ? null : { server, url, model: first.id }
  } catch {
    return null
  }
}

/** Settings that connect a local model. */
export const settingsFor = ({ url, model }: LocalModel): string =>
  `OPENAI_BASE_URL=${url} and OPENAI_MODEL=${model}`
