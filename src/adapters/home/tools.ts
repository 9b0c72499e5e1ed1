import { pathToFileURL } from 'node:url'
import type { Tool } from '../../agent/ports/tool.ts'
import { contained, messageOf, toolProblem } from '../../agent/tools/contained.ts'

/**
 * Loads the tool that a file exports as default.
 *
 * @param stamp version of the file. A new stamp loads the file again; the same stamp returns the
 * same tool.
 * @returns the tool, or a sentence about what is wrong.
 */
export async function loadTool(path: string, stamp: string): Promise<Tool | string> {
  let exported: unknown
  try {
    const module: { default?: unknown } = await import(
      `${pathToFileURL(path).href}?${encodeURIComponent(stamp)}`
    )
    exported = module.default
  } catch (error) {
    return `cannot be loaded: ${messageOf(error)}`
  }
  const problem = toolProblem(exported)
  return problem === null ? theirs(contained(exported as Tool)) : `is not a tool: ${problem}`
}

const made = new WeakMap<Tool, Tool>()

/** Marks a tool as the team's own. Memoized per tool. */
function theirs(tool: Tool): Tool {
  const known = made.get(tool) ?? { ...tool, isTheirs: true as const }
  made.set(tool, known)
  return known
}
