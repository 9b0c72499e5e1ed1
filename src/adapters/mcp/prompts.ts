import type { Client } from '@modelcontextprotocol/client'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { cut } from '../../agent/domain/cut.ts'
import { type ListOptions, readList } from './list-tools.ts'
import type { ListKind } from './listed.ts'
import { resultOf } from './result.ts'

/** Prompt as its server lists it, parsed. */
export interface ListedPrompt {
  readonly name: string
  readonly about: string
  readonly fields: readonly { name: string; isRequired: boolean }[]
}

const aboutMost = 200

const prompts: ListKind<ListedPrompt> = {
  method: 'prompts/list',
  member: 'prompts',
  isOptional: true,
  read(entry, index) {
    if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name === '')
      return `entry ${index + 1} of its prompts has no name`
    const { name, title, description } = entry
    const about = [description, title].find((one) => typeof one === 'string') ?? name
    const listed = Array.isArray(entry.arguments) ? entry.arguments.filter(isRecord) : []
    const fields = listed.flatMap(({ name: field, required }) =>
      typeof field === 'string' ? [{ name: field, isRequired: required === true }] : [],
    )
    return { name, about: cut(cleanText(String(about)), aboutMost), fields }
  },
}

/** Lists a server's prompts; none if it does not offer any, or the list cannot be had. */
export async function listPrompts(
  client: Client,
  options: ListOptions,
): Promise<{ listed: readonly ListedPrompt[]; odd: readonly string[] }> {
  if (client.getServerCapabilities()?.prompts === undefined) return { listed: [], odd: [] }
  return await readList(client, prompts, options).catch(() => ({
    listed: [],
    odd: [`does not answer ${prompts.method}`],
  }))
}

/** Text of a prompt that is filled in: its messages, one after the other. */
export function promptText(result: Readonly<Record<string, unknown>>, server: string): string {
  const messages = Array.isArray(result.messages) ? result.messages.filter(isRecord) : []
  const content = messages.flatMap((message) => message.content)
  return cleanText(resultOf({ content }, server).text)
}
