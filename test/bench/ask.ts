import { request } from 'undici'

/** Posts a body to the model's endpoint and parses its answer: the least that a request costs. */
export async function ask(url: string, body: string): Promise<unknown> {
  const { body: answer } = await request(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body,
  })
  return await answer.json()
}
