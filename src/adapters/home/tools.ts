import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { approvals, effects, type Tool } from '../../agent/ports/tool.ts'

const Shape = z.object({
  // Two underscores in a row are for the tools of servers.
  name: z.string().regex(/^(?!.*__)[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'is not letters, digits, - and single _, at most 64'),
  effect: z.enum(effects),
  description: z.string().trim().min(1, 'is empty'),
  approval: z.enum(approvals).optional(),
  run: z.custom((value) => typeof value === 'function', 'is not a function'),
  check: z.custom((value) => value === undefined || typeof value === 'function', 'is not a function').optional(),
})

/**
 * The tool that is a file's default export.
 *
 * @param stamp names the file's state: another one loads it anew, the same one answers the same tool.
 * @returns the tool, or what is wrong with it in one sentence.
 */
export async function loadTool(path: string, stamp: string): Promise<Tool | string> {
  let exported: unknown
  try {
    const module: { default?: unknown } = await import(`${pathToFileURL(path).href}?${encodeURIComponent(stamp)}`)
    exported = module.default
  } catch (error) {
    return `cannot be loaded: ${messageOf(error)}`
  }
  const shape = Shape.safeParse(exported)
  if (!shape.success)
    return `is not a tool: ${shape.error.issues.map(({ path: at, message }) => `${at.join('.') || 'default export'} ${message}`).join('; ')}`
  return contained(exported as Tool)
}

const made = new WeakMap<Tool, Tool>()

/** What it throws is a failure of the call, not of Clew; whether it took effect before, nobody knows. */
function contained(tool: Tool): Tool {
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
        const { ok, text, unknown } = await tool.run(input, context)
        return { ok: ok === true, text: String(text), ...(unknown === true ? { unknown } : {}) }
      } catch (error) {
        return { ok: false, text: `${tool.name} failed: ${messageOf(error)}`, unknown: true }
      }
    },
  }
  made.set(tool, safe)
  return safe
}

const messageOf = (error: unknown): string =>
  ((error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '').slice(0, 300)
