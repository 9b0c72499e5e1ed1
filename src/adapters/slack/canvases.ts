import { z } from 'zod'
import type { CanvasCall, Canvases, CanvasProblem } from '../../agent/ports/canvases.ts'
import { keptMs } from '../channel-kit/poster.ts'
import { linksAmong } from '../safety.ts'
import { type Answer, Anything, type Problem } from './api.ts'
import type { Slack } from './context.ts'
import { teamOf } from './installations.ts'
import { safely } from './markdown-blocks.ts'
import { type Ask, Members, patientAsk, readAll } from './paging.ts'

const Test = z.looseObject({ url: z.string() })
const Made = z.looseObject({ canvas_id: z.string() })
const Listed = z.looseObject({
  files: z.array(z.looseObject({ id: z.string(), title: z.string() })),
})
const Info = z.looseObject({
  channel: z.looseObject({ is_im: z.boolean().nullish(), is_mpim: z.boolean().nullish() }),
})
/** Codes of workspaces whose plan or settings have no canvases. */
const noCanvases = [
  'free_teams_cannot_create_non_tabbed_canvases',
  'team_tier_cannot_create_channel_canvases',
  'canvas_disabled_user_team',
]

/** Makes canvases (C960), which nobody but Clew sees until they are shared with their place. */
export const createCanvases = (slack: Slack): Canvases => ({
  offers: (workspace) => slack.api.scopes(workspace)?.includes('canvases:write') ?? false,
  async make({ title, markdown, links }, call) {
    const ask = patientAsk(slack, call.workspace, call.signal)
    const team = await ask('auth.test', {}, Test)
    if (team.kind !== 'ok') return { problem: problemIn(team) }
    const safe = safely(markdown, linksAmong(links, slack.deps.linkHosts))
    const made = await makeOnce(slack, ask, call, safe)
    if (made.kind !== 'ok') return { problem: problemIn(made) }
    const canvas = { canvas_id: made.value }
    const changes = [{ operation: 'rename', title_content: { type: 'markdown', markdown: title } }]
    await ask('canvases.edit', { ...canvas, changes }, Anything)
    const shared = await share(slack, ask, call, canvas)
    if (shared.kind === 'ok')
      return { link: new URL(`/docs/${teamOf(call.workspace)}/${made.value}`, team.value.url).href }
    await ask('canvases.delete', canvas, Anything)
    return { problem: problemIn(shared) }
  },
})

/**
 * Makes a canvas, or finds the one that an earlier try made: until its id is noted, its title is
 * the effect id. If Slack cannot be asked for it, none is made.
 */
async function makeOnce(
  slack: Slack,
  ask: Ask,
  { workspace, effectId: title }: CanvasCall,
  markdown: string,
): Promise<Answer<string>> {
  const { notes } = slack.deps
  const note = (value: string) => notes.put(workspace, `canvas:${title}`, value, keptMs.shown)
  const find = async (): Promise<Answer<string | undefined>> => {
    const user = await slack.installations.botOf(workspace)
    const list = await ask('files.list', { types: 'canvas', user }, Listed)
    if (list.kind !== 'ok') return list
    return { kind: 'ok', value: list.value.files.find((one) => one.title === title)?.id }
  }
  const create = async (): Promise<Answer<string>> => {
    await note('begun')
    const document_content = { type: 'markdown', markdown }
    const made = await ask('canvases.create', { title, document_content }, Made)
    if (made.kind === 'ok') return { kind: 'ok', value: made.value.canvas_id }
    return made.kind === 'unknown' ? known(await find(), async () => made) : made
  }
  const before = await notes.get(workspace, `canvas:${title}`)
  if (before !== null && before !== 'begun') return { kind: 'ok', value: before }
  const made = before === null ? await create() : await known(await find(), create)
  if (made.kind === 'ok') await note(made.value)
  return made
}

async function known(
  found: Answer<string | undefined>,
  otherwise: () => Promise<Answer<string>>,
): Promise<Answer<string>> {
  if (found.kind !== 'ok') return found
  const { value } = found
  return value === undefined ? await otherwise() : { kind: 'ok', value }
}

/** Lets the readers of a place read a canvas: Slack takes people instead of direct messages. */
async function share(
  { installations }: Slack,
  ask: Ask,
  { workspace, channel }: CanvasCall,
  canvas: object,
): Promise<Answer<unknown>> {
  const info = await ask('conversations.info', { channel }, Info)
  if (info.kind !== 'ok') return info
  const { is_im: isDirect, is_mpim: isGroup } = info.value.channel
  const access = { ...canvas, access_level: 'read' }
  if (isDirect !== true && isGroup !== true)
    return await ask('canvases.access.set', { ...access, channel_ids: [channel] }, Anything)
  const list = { method: 'conversations.members', args: { channel }, page: Members }
  const { items, problem } = await readAll(ask, list, () => true)
  if (problem !== null) return problem
  const bot = await installations.botOf(workspace)
  const users = items.filter((one) => one !== bot)
  return await ask('canvases.access.set', { ...access, user_ids: users }, Anything)
}

function problemIn(problem: Problem): CanvasProblem {
  if (problem.kind === 'refused') return noCanvases.includes(problem.reason) ? 'plan' : 'refused'
  const isScope = problem.kind === 'later' && problem.token?.code === 'missing_scope'
  return isScope ? 'scope' : 'away'
}
