import { pathToFileURL } from 'node:url'
import type { Tool } from '../../agent/ports/tool.ts'
import { contained, messageOf, toolProblem } from '../../agent/tools/contained.ts'

/**
 * The tool that is a file's default export.
 *
 * @param stamp names the file's state: another one loads it again, the same one answers the same tool.
 * @returns the tool, or what is wrong with it in one sentence.
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

/** A tool of the team's own folder; of the same tool the same one again. */
function theirs(tool: Tool): Tool {
  const known = made.get(tool) ?? { ...tool, isTheirs: true as const }
  made.set(tool, known)
  return known
}
