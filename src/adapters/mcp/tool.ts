import { createHash } from 'node:crypto'
import type { Tool as Listed } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText, cleanTexts } from '../../agent/domain/clean-text.ts'
import { parseObject } from '../../agent/model/json-text.ts'
import type { Approval, Effect, Tool, ToolResult } from '../../agent/ports/tool.ts'
import type { Rules } from './servers-file.ts'

/** How a call reaches its server. */
export type CallServer = (
  tool: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<ToolResult>

const validator = new AjvJsonSchemaValidator()

/**
 * A server's tool under the team's rules. What the server says of it (read-only, idempotent) tells how it may be repeated,
 * unless the rules say otherwise. It frees the tool from approval only where the team trusts the server with that (S16).
 */
export function toolOf(server: string, listed: Listed, rules: Rules, call: CallServer): Tool {
  const own = rules.tools[listed.name] ?? {}
  const effect = own.effect ?? effectOf(listed)
  const isFree = effect === 'none' && (own.effect === 'none' || rules.trustReadOnly)
  const approval: Approval = own.approval ?? (isFree ? 'never' : (rules.approval ?? 'always'))
  const check = checkOf(listed)
  return {
    name: nameOf(server, listed.name),
    effect,
    approval,
    description: cleanText(listed.description ?? listed.title ?? listed.name),
    sources: {
      interactive: matches(rules.interactive, listed.name),
      unattended:
        matches(rules.interactive, listed.name) &&
        (effect === 'none' || matches(rules.unattended, listed.name)),
    },
    origin: { server, schema: anonymous(listed.inputSchema) },
    check: (input) => {
      const read = check(input)
      return typeof read === 'string' ? read : null
    },
    async run(input, { signal }) {
      const read = check(input)
      return typeof read === 'string'
        ? { ok: false, text: read }
        : await call(listed.name, read, signal)
    },
  }
}

/**
 * Rule 5. A call is only ever repeated with the arguments it had, which is just what an idempotent tool allows, so it counts
 * as `keyed`; whatever says nothing of itself is `unkeyed`.
 */
function effectOf({ annotations }: Listed): Effect {
  if (annotations?.readOnlyHint === true) return 'none'
  return annotations?.idempotentHint === true ? 'keyed' : 'unkeyed'
}

/** `server__tool`, as functions may be called: letters, digits, - and _, at most 64 characters; the same every time. */
function nameOf(server: string, tool: string): string {
  const name = `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
  // Of a name in other letters nothing is left that tells it from the next.
  if (name.length <= 64 && !/[^ -~]/.test(tool)) return name
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, 8)
  return `${name.slice(0, 64 - mark.length - 1)}_${mark}`
}

const matches = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => fits(pattern, name))

/** Whether a name is as a pattern says, in which each `*` stands for anything. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...between] = pattern.split('*')
  const last = between.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of between) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** The arguments that an input holds, or what is wrong with it. A schema that cannot be compiled is the server's to check. */
function checkOf({
  name,
  inputSchema,
}: Listed): (input: string) => Record<string, unknown> | string {
  const validate = compiled(inputSchema)
  const [only, ...others] = Object.keys(inputSchema.properties ?? {})
  return (input) => {
    const read =
      parseObject(input) ?? (only !== undefined && others.length === 0 ? { [only]: input } : null)
    if (read === null) return `the input of ${name} is not one JSON object that fits its schema`
    const problem = validate(read)
    return problem === null ? read : `the input of ${name} does not fit its schema: ${problem}`
  }
}

/** Without its names, so that two schemas, or one that is listed again, cannot be taken for each other. */
function anonymous(schema: Listed['inputSchema']): Record<string, unknown> {
  const clean = cleanTexts(schema)
  if (!isRecord(clean)) return {}
  const { $id: _, $schema: __, ...rest } = clean
  return rest
}

function compiled(schema: Listed['inputSchema']): (args: unknown) => string | null {
  try {
    const validate = validator.getValidator(anonymous(schema))
    return (args) => {
      const { valid, errorMessage } = validate(args)
      return valid ? null : (errorMessage ?? 'not valid')
    }
  } catch {
    return () => null
  }
}
