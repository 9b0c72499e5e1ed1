import type { ToolCard } from '../contracts/input.ts'
import { memoized } from '../domain/memoized.ts'
import { type Profile, type ProfileIn, ruleFor } from '../domain/profile.ts'
import type { ScheduleMode } from '../domain/schedule.ts'
import type { Tool } from '../ports/tool.ts'

/** Audience of the work: a person who can be asked and sees what happens, or nobody. */
export type Source = 'interactive' | 'unattended'

/** For whom a tool is looked up: who asked, and what a schedule was allowed by a person. */
export interface Asking {
  source: Source
  /** Where the work is; tools that are not everywhere are in none where it is left out. */
  workspace?: string
  /** Channel whose profile holds (C673); none where it is left out. */
  channel?: string
  /** Tools with effects that this work may use although nobody watches it. */
  allow?: readonly string[]
  /** Rule for the tools that are not in `allow` (F24); absent: `safe`. */
  mode?: ScheduleMode
}

export type Toolbox = ReturnType<typeof createToolbox>

/**
 * Stages of the loop itself, which would nest as tools (C40), and what the loop offers by itself.
 */
const reserved: readonly string[] = [
  'plan_tool_call',
  'think',
  'ask_user',
  'recall',
  'find_tool',
  'call_tool',
]

/**
 * The one registry of tools (C40). Interactive work sees all of them; unattended work only what has
 * no side effects, the looking half of those that have some, and those that its schedule or the
 * tool's own rule allows (S4).
 *
 * @param more tools that come and go while Clew runs: the ones that there are now. One request sees
 *   one such list; a call that was decided on it finds its tool, or hears that it is gone. A name
 *   that is taken is passed over.
 * @param profileIn profiles of channels: a tool that one hides is nobody's there, whoever asks
 *   (C673).
 * @throws Error when two tools have one name or one has a reserved name: a mistake of the
 *   composition.
 */
export function createToolbox(
  tools: readonly Tool[],
  more: () => readonly Tool[] = () => [],
  profileIn: ProfileIn = () => null,
) {
  const names = tools.map((tool) => tool.name)
  const wrong = names.find(
    (name, index) => reserved.includes(name) || names.indexOf(name) !== index,
  )
  if (wrong !== undefined) throw new Error(`there cannot be a tool ${wrong}, or not twice`)

  const own = new Map(tools.map((tool) => [tool.name, tool]))
  function now(): ReadonlyMap<string, Tool> {
    const coming = more()
    if (coming.length === 0) return own
    const all = new Map(own)
    for (const tool of coming)
      if (!all.has(tool.name) && !reserved.includes(tool.name)) all.set(tool.name, tool)
    return all
  }
  const profileFor = ({ channel }: Asking) => (channel === undefined ? null : profileIn(channel))
  function seen(given: Tool, asking: Asking) {
    const { workspace } = asking
    const tool = ruled(given, profileFor(asking))
    if (tool === null) return null
    if (tool.offeredIn !== undefined && (workspace === undefined || !tool.offeredIn(workspace)))
      return null
    const isWatched = asking.source === 'interactive'
    if (tool.sources?.[asking.source] ?? (isWatched || tool.effect === 'none')) return asks(tool)
    // What a rule keeps from people is kept from schedules too.
    if (isWatched || tool.sources?.interactive === false) return null
    return granted(tool, asking) ?? tool.readOnly ?? null
  }
  return {
    /**
     * Cards that the model is offered, in the order of the list. A call of any other tool is a
     * contract failure (R30).
     */
    cards: (asking: Asking) =>
      [...now().values()].flatMap((tool) => seen(tool, asking) ?? []).map(cardOf),
    /** Names of all tools, whoever may see them. */
    names: (): string[] => [...now().keys()],
    /** Null when there is no such tool, or none for this work. */
    get(name: string, asking: Asking) {
      const tool = now().get(name)
      return tool === undefined ? null : seen(tool, asking)
    },
    /** True if the profile of the channel hides a tool of this name. */
    hides: (name: string, asking: Asking) => ruleFor(profileFor(asking), name) === 'hidden',
  }
}

/** Applies a profile's rule to a tool; null: it is hidden (C673). */
function ruled(tool: Tool, profile: Profile | null): Tool | null {
  const rule = ruleFor(profile, tool.name)
  if (rule === 'hidden') return null
  return rule === 'offered' ? tool : { ...tool, approval: rule }
}

/**
 * S51: makes a tool of the team with effects ask for approval first, unless it says itself that it
 * need not.
 */
export const asks = (tool: Tool): Tool =>
  tool.isTheirs && tool.effect !== 'none' && tool.approval === undefined
    ? { ...tool, approval: 'always' }
    : tool

/**
 * Applies a schedule's mode to a tool for a run that nobody watches (F24); `null`: the run may not
 * use it.
 */
function granted(tool: Tool, { allow = [], mode = 'safe' }: Asking): Tool | null {
  if (allow.includes(tool.name)) return tool
  if (mode === 'safe' || tool.allowable === false) return null
  return mode === 'auto'
    ? tool
    : { ...tool, approval: tool.approval === 'first' ? 'first' : 'always' }
}

/** Makes the card of a tool, once, so that prompts and requests reuse what they make of it. */
export const cardOf: (tool: Tool) => ToolCard = memoized(
  ({ name, description, origin, fields }) => ({ name, description, origin, fields }),
  new WeakMap(),
)
