import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { cleanText, cleanTexts } from '../../agent/domain/clean-text.ts'
import { fitted } from '../../agent/domain/fit.ts'
import { fits } from '../../agent/domain/pattern.ts'
import { parseObject } from '../../agent/model/json-text.ts'
import type { Approval, Effect, Tool, ToolContext, ToolResult } from '../../agent/ports/tool.ts'
import { type ListedTool, withoutPatterns } from './listed.ts'
import type { Rules } from './servers-file.ts'

/** Way to the server of a tool. */
export interface CallServer {
  /** Sends a call. */
  call(
    call: { tool: string; args: Record<string, unknown>; effect: Effect },
    context: ToolContext,
  ): Promise<ToolResult>
  /** Ends a call that waits for an answer. */
  drop(effectId: string): void
}

/** Context of a tool: its server, the team's rules, and its function name. */
interface ToolPlace extends CallServer {
  server: string
  function: string
  rules: Rules
}

const validator = new AjvJsonSchemaValidator()

/**
 * Wraps a server's tool under the team's rules. The server's hints (read-only, idempotent) decide
 * how a call may be repeated, unless the rules say otherwise. They waive approval only if the team
 * trusts the server with that (S16).
 */
export function toolOf(listed: ListedTool, at: ToolPlace): Tool {
  const { server, rules } = at
  const own = rules.tools[listed.name] ?? {}
  const effect = own.effect ?? effectOf(listed)
  const isFree = effect === 'none' && (own.effect === 'none' || rules.trustReadOnly)
  const approval: Approval = own.approval ?? (isFree ? 'never' : (rules.approval ?? 'always'))
  const check = checkOf(listed)
  return {
    name: at.function,
    effect,
    approval,
    description: cleanText(listed.description ?? listed.name),
    sources: {
      interactive: matches(rules.interactive, listed.name),
      unattended:
        matches(rules.interactive, listed.name) &&
        (effect === 'none' || matches(rules.unattended, listed.name)),
    },
    origin: { server, schema: anonymous(listed.schema) },
    check: (input) => {
      const read = check(input)
      return typeof read === 'string' ? read : null
    },
    async run(input, context) {
      const read = check(input)
      return typeof read === 'string'
        ? { ok: false, text: read }
        : await at.call({ tool: listed.name, args: read, effect }, context)
    },
    drop: at.drop,
  }
}

/**
 * Derives a tool's effect from its hints (rule 5). An idempotent tool counts as `keyed`, since
 * calls repeat only with the same arguments. A tool without hints is `unkeyed`.
 */
function effectOf({ isReadOnly, isIdempotent }: ListedTool): Effect {
  if (isReadOnly) return 'none'
  return isIdempotent ? 'keyed' : 'unkeyed'
}

const matches = (patterns: readonly string[], name: string) =>
  patterns.some((pattern) => fits(pattern, name))

/**
 * Creates a parser that returns the call's arguments or what is wrong with the input. If a schema
 * does not compile, the server checks the input.
 */
function checkOf({
  name,
  schema: listed,
}: ListedTool): (input: string) => Record<string, unknown> | string {
  const schema = anonymous(listed)
  const checked = withoutPatterns(schema)
  const validate = compiled(isRecord(checked) ? checked : {})
  const [only, ...others] = Object.keys(isRecord(schema.properties) ? schema.properties : {})
  return (input) => {
    const read =
      parseObject(input) ?? (only !== undefined && others.length === 0 ? { [only]: input } : null)
    if (read === null) return `the input of ${name} is not one JSON object that fits its schema`
    const problem = validate(read)
    if (problem === null) return read
    const meant = fitted(read, schema)
    return isRecord(meant) && validate(meant) === null
      ? meant
      : `the input of ${name} does not fit its schema: ${problem}`
  }
}

/**
 * Drops `$id` and `$schema`, so that the validator does not confuse two schemas or reject one that
 * is listed again.
 */
function anonymous(schema: ListedTool['schema']): Record<string, unknown> {
  const clean = cleanTexts(schema)
  if (!isRecord(clean)) return {}
  const { $id: _, $schema: __, ...rest } = clean
  return rest
}

function compiled(schema: Record<string, unknown>): (args: unknown) => string | null {
  try {
    const validate = validator.getValidator(schema)
    return (args) => {
      const { valid, errorMessage } = validate(args)
      return valid ? null : (errorMessage ?? 'not valid')
    }
  } catch {
    return () => null
  }
}
