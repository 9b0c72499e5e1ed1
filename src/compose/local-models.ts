import { z } from 'zod'

/** A model server and the port that it takes unless it is told another. */
export interface LocalServer {
  name: string
  port: number
}

/** docs.ollama.com/api/openai-compatibility, lmstudio.ai/docs/developer, llama.cpp's tools/server/README.md, docs.vllm.ai (serving). */
export const usualServers: readonly LocalServer[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'llama.cpp', port: 8_080 },
  { name: 'vLLM', port: 8_000 },
]

/** What somebody without a model could set. */
export interface LocalModel {
  server: string
  url: string
  model: string
}

/** A server on this machine is quick or is none. */
const answerWithinMs = 500
const Models = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).min(1) })

/** The first of these servers on this machine that lists a model. Each is asked once for its list, and for nothing else. */
export async function findLocalModel(servers: readonly LocalServer[]): Promise<LocalModel | null> {
  const found = await Promise.all(servers.map(ask))
  return found.find((one) => one !== null) ?? null
}

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

/** The two lines that connect it. */
export const settingsFor = ({ url, model }: LocalModel): string =>
  `OPENAI_BASE_URL=${url} and OPENAI_MODEL=${model}`
