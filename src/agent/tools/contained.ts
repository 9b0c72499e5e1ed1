import { z } from 'zod'
import { MadeFile } from '../domain/made-file.ts'
import { Offer } from '../domain/message.ts'
import { approvals, effects, type Tool, type ToolResult } from '../ports/tool.ts'

const Shape = z.object({
  // Two underscores in a row are for the tools of servers.
  name: z
    .string()
    .regex(
      /^(?!.*__)[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      'is not letters, digits, - and single _, at most 64',
    ),
  effect: z.enum(effects),
  description: z.string().trim().min(1, 'is empty'),
  approval: z.enum(approvals).optional(),
  run: z.custom((value) => typeof value === 'function', 'is not a function'),
  check: z
    .custom((value) => value === undefined || typeof value === 'function', 'is not a function')
    .optional(),
})

/** Reason why a value is no tool, in one sentence; `null`: it is one. */
export function toolProblem(value: unknown): string | null {
  const shape = Shape.safeParse(value)
  if (shape.success) return null
  return shape.error.issues
    .map(({ path, message }) => `${path.join('.') || 'default export'} ${message}`)
    .join('; ')
}

const Note = z.object({ text: z.string(), offers: z.array(Offer) }).optional()
const Files = z.array(MadeFile).optional()

const made = new WeakMap<Tool, Tool>()

/**
 * A tool that others wrote: what it throws is a failure of the call, not of Clew; whether it took
 * effect before, nobody knows. Of the same tool the same one again.
 */
export function contained(tool: Tool): Tool {
  const known = made.get(tool)
  if (known !== undefined) return known
  const safe: Tool = {
    ...tool,
    check(input) {
      try {
        const problem: unknown = tool.check?.(input) ?? null
        return problem === null ? null : String(problem)
      } catch (error) {
        return `${tool.name} cannot check this input: ${messageOf(error)}`
      }
    },
    async run(input, context) {
      try {
        return resultOf(await tool.run(input, context))
      } catch (error) {
        return { ok: false, text: `${tool.name} failed: ${messageOf(error)}`, unknown: true }
      }
    },
  }
  made.set(tool, safe)
  made.set(safe, safe)
  return safe
}

/** @throws ZodError when what it has for the people of the thread is of another shape. */
function resultOf({ ok, text, unknown, note, files }: ToolResult): ToolResult {
  return {
    ok: ok === true,
    text: String(text),
    unknown: unknown === true || undefined,
    note: Note.parse(note),
    files: Files.parse(files),
  }
}

/** The first line of an error, for a model or a thread. */
export const messageOf = (error: unknown): string =>
  ((error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '').slice(0, 300)
