import { z } from 'zod'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { approvals, effects } from '../../agent/ports/tool.ts'
import { fillIn, type Variables } from '../variables.ts'

const Patterns = z.array(z.string().min(1))
/** What Clew reads beyond what other clients do; they pass it over. */
const Rules = z.strictObject({
  /** Of every tool that the file itself does not free; `always` where it is left out. */
  approval: z.enum(approvals).optional(),
  /** Whether a tool of which the server says that it only reads is free of approval (S16). */
  trustReadOnly: z.boolean().default(false),
  /** Of single tools, whatever the server says of them. */
  tools: z
    .record(
      z.string(),
      z.strictObject({
        approval: z.enum(approvals).optional(),
        effect: z.enum(effects).optional(),
      }),
    )
    .default({}),
  /** Tools for work that a person asked for; `*` stands for any characters. */
  interactive: Patterns.default(['*']),
  /** Tools with effects that unattended work may use too; what only reads it always may. */
  unattended: Patterns.default([]),
})
export type Rules = z.infer<typeof Rules>

/** Texts by name, as numbers and truth values too; null is absence. */
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
  type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  url: z.url(),
  headers: texts.default({}),
})

/** How a server is reached and what its tools may do. `secrets` are the values that came from the environment. */
export type ServerSpec = { name: string; rules: Rules; secrets: readonly string[] } & (
  | {
      kind: 'stdio'
      command: string
      args: string[]
      env: Record<string, string>
      cwd: string | null
    }
  /** `isSse`: over the transport that was usual before streamable HTTP. */
  | { kind: 'http'; url: string; isSse: boolean; headers: Record<string, string> }
)

/** Ours and the field's: part of a function's name, which has at most 64 characters. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

/**
 * Reads an `mcpServers` file as other clients write it. `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for variables of
 * the environment. A server that cannot be read is a problem; the others are there.
 *
 * @param file what to call it in problems.
 */
export function readServersFile(
  text: string,
  { file, env }: { file: string; env: Variables },
): { servers: ServerSpec[]; problems: string[] } {
  const whole = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(jsonIn(text))
  if (!whole.success)
    return { servers: [], problems: [`${file} is not a JSON object with "mcpServers"`] }
  const servers: ServerSpec[] = []
  /** One sentence each, naming the server; never a value of the environment (S7). */
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

/** The server, null when it is turned off, or what is wrong with it. */
function readServer(name: string, entry: unknown, env: Variables): ServerSpec | string | null {
  if (!nameForm.test(name) || name.includes('__'))
    return 'a name has letters, digits, - and single _, at most 32'
  const { filled, missing, secrets } = fillIn(entry, env)
  const said = isRecord(filled) ? withoutNulls(filled) : filled
  const isRemote = isRecord(said) && 'url' in said
  const parsed = (isRemote ? Http : Stdio).safeParse(said)
  // Where it is wrong, and not what stands there: that may be a secret.
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
    const { url, type, headers } = data
    return { ...base, kind: 'http', url, isSse: type === 'sse', headers }
  }
  const { command, args, env: own, cwd = null } = data
  return { ...base, kind: 'stdio', command, args, env: own, cwd }
}
