import { z } from 'zod'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { approvals, effects } from '../../agent/ports/tool.ts'
import { fillIn, type Variables } from '../variables.ts'

const Patterns = z.array(z.string().min(1))
/** Clew's own keys in the file, which other clients ignore. */
const Rules = z.strictObject({
  /** Approval for every tool that `tools` does not exempt. Without it: `always`. */
  approval: z.enum(approvals).optional(),
  /** True if tools that the server calls read-only need no approval (S16). */
  trustReadOnly: z.boolean().default(false),
  /** Rules for single tools, which override what the server says. */
  tools: z
    .record(
      z.string(),
      z.strictObject({
        approval: z.enum(approvals).optional(),
        effect: z.enum(effects).optional(),
      }),
    )
    .default({}),
  /** Patterns of the tools for work that a person asked for; `*` matches any characters. */
  interactive: Patterns.default(['*']),
  /** Patterns of the tools with effects that unattended work may use. Read-only tools need none. */
  unattended: Patterns.default([]),
})
export type Rules = z.infer<typeof Rules>

/** Texts by name. Numbers and booleans become texts; `null` counts as absent. */
const texts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .transform((all) =>
    Object.fromEntries(
      Object.entries(withoutNulls(all)).map(([name, value]) => [name, String(value)]),
    ),
  )
const common = { disabled: z.boolean().default(false), clew: Rules.default(Rules.parse({})) }
const Stdio = z.object({
  ...common,
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.union([z.string(), z.number().transform(String)])).default([]),
  env: texts.default({}),
  cwd: z.string().optional(),
})
const Http = z.object({
  ...common,
  /** Clients spell it in several ways. */
  type: z
    .string()
    .transform((type) => type.toLowerCase().replace(/[^a-z]/g, ''))
    .pipe(z.enum(['http', 'streamablehttp', 'sse']))
    .optional(),
  url: z.url(),
  headers: texts.default({}),
  /** Sign-in by OAuth: of each person, or one for all (C860). */
  auth: z.enum(['person', 'installation']).optional(),
})

/**
 * Settings of a server: how to reach it and what its tools may do. `secrets` are the values from
 * the environment.
 */
export type ServerSpec = { name: string; rules: Rules; secrets: readonly string[] } & (
  | {
      kind: 'stdio'
      command: string
      args: string[]
      env: Record<string, string>
      cwd: string | null
    }
  /** Server over HTTP. `isSse`: uses the SSE transport that preceded streamable HTTP. */
  | {
      kind: 'http'
      url: string
      isSse: boolean
      headers: Record<string, string>
      auth?: 'person' | 'installation' | undefined
    }
)

/** Pattern of a server's name, which becomes part of a function name of at most 64 characters. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

/**
 * Parses an `mcpServers` file in the format of other clients. `${NAME}`, `${env:NAME}` and
 * `${NAME:-default}` stand for environment variables. An invalid server is reported as a problem;
 * the others are kept.
 *
 * @param file name of the file in problems.
 */
export function readServersFile(
  text: string,
  { file, env }: { file: string; env: Variables },
): { servers: ServerSpec[]; problems: string[] } {
  const whole = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(jsonIn(text))
  if (!whole.success)
    return { servers: [], problems: [`${file} is not a JSON object with "mcpServers"`] }
  const servers: ServerSpec[] = []
  /**
   * Problems, one sentence each, which name the server and never a value from the environment (S7).
   */
  const problems: string[] = []
  for (const [name, entry] of Object.entries(whole.data.mcpServers)) {
    const read = readServer(name, entry, env)
    if (typeof read === 'string') problems.push(`${file}: ${name}: ${read}`)
    else if (read !== null) servers.push(read)
  }
  return { servers, problems }
}

const withoutNulls = <V>(fields: Readonly<Record<string, V | null>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )

/** Returns the server, `null` if it is disabled, or a sentence about what is wrong. */
function readServer(name: string, entry: unknown, env: Variables): ServerSpec | string | null {
  if (!nameForm.test(name) || name.includes('__'))
    return 'a name has letters, digits, - and single _, at most 32'
  const { filled, missing, secrets } = fillIn(entry, env)
  const said = isRecord(filled) ? withoutNulls({ type: filled.transport, ...filled }) : filled
  const isRemote = isRecord(said) && 'url' in said
  const parsed = (isRemote ? Http : Stdio).safeParse(said)
  // Names only the place of the error, since the value may be a secret.
  if (!parsed.success)
    return `is not understood at ${parsed.error.issues.map(({ path }) => path.join('.') || 'the top').join(', ')}`
  const { data } = parsed
  if (data.disabled) return null
  if (missing.length > 0) return `needs the environment variables ${missing.join(', ')}`
  const base = {
    name,
    rules: data.clew,
    secrets: [...secrets, ...Object.values('url' in data ? data.headers : data.env)],
  }
  if ('url' in data) {
    const { url, type, headers, auth } = data
    const isSse = type === undefined ? /\/sse\/?$/.test(new URL(url).pathname) : type === 'sse'
    return { ...base, kind: 'http', url, isSse, headers, auth }
  }
  const { command, args, env: own, cwd = null } = data
  return { ...base, kind: 'stdio', command, args, env: own, cwd }
}
