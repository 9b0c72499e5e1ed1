import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const file = join(import.meta.dirname, '../../fixtures/discord/openapi.json')
const spec = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, unknown> } }>>
}

/** Only what is sent is judged by the document; its formats (snowflake, nonce, int64) are ranges that it also spells out. */
const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
ajv.addSchema(spec, 'discord')
const compiled = new Map<string, ValidateFunction | null>()

interface Operation {
  path: string
  segments: string[]
  literals: number
}
const operations: Operation[] = Object.keys(spec.paths)
  .map((path) => {
    const segments = path.split('/').slice(1)
    return { path, segments, literals: segments.filter((one) => !one.startsWith('{')).length }
  })
  .sort((a, b) => b.literals - a.literals)

/** The document's path for a request, the one with the most literal segments; null when there is none. */
function operationOf(method: string, path: string): string | null {
  const parts = path.split('/').slice(1)
  const found = operations.find(
    ({ path: name, segments }) =>
      segments.length === parts.length &&
      spec.paths[name]?.[method.toLowerCase()] !== undefined &&
      segments.every((segment, index) => segment.startsWith('{') || segment === parts[index]),
  )
  return found?.path ?? null
}

function validatorOf(method: string, path: string): ValidateFunction | null {
  const name = `${method} ${path}`
  const known = compiled.get(name)
  if (known !== undefined) return known
  const has =
    spec.paths[path]?.[method.toLowerCase()]?.requestBody?.content?.['application/json'] !==
    undefined
  const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1')
  const reference = `discord#/paths/${pointer}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
  const validate = has ? ajv.compile({ $ref: encodeURI(reference) }) : null
  compiled.set(name, validate)
  return validate
}

type Json = Record<string, unknown>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Every component of a message or modal, however deep. */
export function componentsIn(components: unknown): Json[] {
  return listOf(components).flatMap((one) => [
    one,
    ...componentsIn(one.components),
    ...componentsIn(isObject(one.accessory) ? [one.accessory] : []),
    ...componentsIn(isObject(one.component) ? [one.component] : []),
  ])
}

export const flags = { suppressEmbeds: 1 << 2, ephemeral: 1 << 6, componentsV2: 1 << 15 }

/**
 * Everything that is wrong with a request: what Discord's own document says, and rules that it leaves out.
 *
 * @param body the JSON part, also of a multipart request; undefined when there is none.
 */
export function problemsOf(method: string, path: string, body: unknown, files: number): string[] {
  const operation = operationOf(method, path)
  if (operation === null) return [`${method} ${path} is no operation of the API`]
  const validate = validatorOf(method, operation)
  if (validate === null) return body === undefined ? [] : [`${method} ${operation} takes no body`]
  if (body === undefined) return method === 'GET' ? [] : [`${method} ${operation} needs a body`]
  const problems = validate(body) ? [] : [`${operation}: ${ajv.errorsText(validate.errors)}`]
  return [...problems, ...ownRules(method, operation, body, files)]
}

/** True for what Clew demands of itself and Discord does not (S1, S2). */
export const isOwnRule = (problem: string): boolean => /\(S\d\)$/.test(problem)

function ownRules(method: string, operation: string, body: unknown, files: number): string[] {
  if (/\/commands$/.test(operation)) return listOf(body).flatMap(commandProblems)
  if (!isObject(body)) return []
  if (operation.endsWith('/callback')) {
    const data = isObject(body.data) ? body.data : {}
    if (body.type === 4 || body.type === 7) return messageProblems(data, 'POST', files)
    if (body.type === 9) return modalProblems(data)
    return []
  }
  const isMessage =
    /\/messages(\/\{message_id\}|\/@original)?$/.test(operation) ||
    operation === '/webhooks/{webhook_id}/{webhook_token}'
  if (isMessage) return messageProblems(body, method, files)
  if (/^\/channels\/\{channel_id\}\/threads$/.test(operation) && isObject(body.message))
    return messageProblems(body.message, 'POST', files)
  return []
}

const messageKeys = ['content', 'embeds', 'components', 'flags', 'allowed_mentions', 'attachments']
const createKeys = [...messageKeys, 'nonce', 'enforce_nonce', 'message_reference', 'tts', 'type']

function messageProblems(message: Json, method: string, files: number): string[] {
  const problems: string[] = []
  const content = typeof message.content === 'string' ? message.content : ''
  const components = componentsIn(message.components)
  const marks = typeof message.flags === 'number' ? message.flags : 0
  const v2 = (marks & flags.componentsV2) !== 0
  if (content.length > 2000) problems.push(`content of ${content.length} characters`)
  if (
    method === 'POST' &&
    content.trim() === '' &&
    components.length === 0 &&
    !message.embeds &&
    files === 0
  )
    problems.push('an empty message')
  if (v2 && (content !== '' || listOf(message.embeds).length > 0))
    problems.push('components V2 beside content or embeds')
  if (!v2 && method === 'POST' && components.some(({ type }) => Number(type) >= 9))
    problems.push('V2 components without their flag')
  if (components.length > 40) problems.push(`${components.length} components`)
  const shown = components.reduce(
    (sum, one) => sum + (one.type === 10 ? String(one.content).length : 0),
    0,
  )
  if (shown > 4000) problems.push(`${shown} characters of text displays`)
  // S1: nobody is called but whom the message names by id. S2: links open nothing by themselves.
  const mentions = message.allowed_mentions
  if (!isObject(mentions) || !Array.isArray(mentions.parse) || mentions.parse.length > 0)
    problems.push('allowed_mentions is not empty (S1)')
  if (method === 'POST' && !v2 && content !== '' && (marks & flags.suppressEmbeds) === 0)
    problems.push('previews are not suppressed (S2)')
  for (const key of Object.keys(message))
    if (!createKeys.includes(key)) problems.push(`unknown key ${key}`)
  return [...problems, ...duplicates(components)]
}

function modalProblems(modal: Json): string[] {
  const components = listOf(modal.components)
  return [
    ...(components.length > 5 ? ['a modal of more than 5 parts'] : []),
    ...duplicates(componentsIn(components)),
  ]
}

function duplicates(components: readonly Json[]): string[] {
  const ids = components.flatMap(({ custom_id: id }) => (typeof id === 'string' ? [id] : []))
  const twin = ids.find((id, index) => ids.indexOf(id) !== index)
  return twin === undefined ? [] : [`custom_id ${twin} is there twice`]
}

function commandProblems(command: Json): string[] {
  // What stands in a menu has a name for people, and nothing else.
  if (command.type === 2 || command.type === 3)
    return 'description' in command || 'options' in command
      ? [`${String(command.name)} is no command with options`]
      : []
  const options = (one: Json): Json[] =>
    listOf(one.options).flatMap((option) => [option, ...options(option)])
  const names = [command, ...options(command)].map(({ name }) => String(name))
  const bad = names.filter(
    (name) => name !== name.toLowerCase() || !/^[-_'\p{L}\p{N}]{1,32}$/u.test(name),
  )
  const late = [command, ...options(command)].filter((one) => {
    const required = listOf(one.options).map((option) => option.required === true)
    return (
      required.lastIndexOf(true) > required.indexOf(false) &&
      required.includes(false) &&
      required.includes(true)
    )
  })
  return [
    ...bad.map((name) => `${name} is no name of a command or option`),
    ...late.map(({ name }) => `${String(name)} has a required option behind an optional one`),
  ]
}
