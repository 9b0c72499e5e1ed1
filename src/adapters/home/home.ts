import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TeamWords } from '../../agent/contracts/input.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import type { PlanTemplate } from '../../agent/domain/plan-template.ts'
import { present } from '../../agent/domain/present.ts'
import type { ProfileIn } from '../../agent/domain/profile.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Tool } from '../../agent/ports/tool.ts'
import { createReadSkillTool, readHead, type Skill } from './skills.ts'
import { readTemplates, templatesIn } from './templates.ts'
import { loadTool } from './tools.ts'

/** Poll interval for the folder, in milliseconds. Changes apply without a restart. */
const lookEveryMs = 2_000
/** Longest instructions, in characters, and most skills; more would crowd out the task. */
const instructionsMost = 12_000
const skillsMost = 100

interface State {
  instructions: string | null
  skills: readonly Skill[]
  templates: readonly PlanTemplate[]
  tools: readonly Tool[]
  problems: readonly string[]
}

/**
 * Loads `instructions.md`, `skills/<name>/SKILL.md`, `plans/*.md` and `tools/*.ts` from a folder,
 * and reloads them when a file changes. A file that cannot be used is reported as a problem; the
 * rest still works.
 */
export async function openHome(
  folder: string,
  {
    clock,
    log,
    profileIn = () => null,
  }: { clock: Pick<Clock, 'every'>; log: Log; profileIn?: ProfileIn },
) {
  let seen = ''
  let state = nothing
  const readSkill = createReadSkillTool((channel) => skillsIn(channel))

  function skillsIn(channel: string) {
    const here = profileIn(channel)?.skills
    return state.skills.filter(({ name }) => here?.includes(name) ?? true)
  }
  async function look() {
    const files = await filesOf(folder)
    const now = JSON.stringify(files)
    if (now === seen) return
    seen = now
    state =
      files === null
        ? { ...nothing, problems: [`${folder} is not a folder that can be read`] }
        : await read(files)
    for (const problem of state.problems) log.warn({}, `AGENT_HOME: ${problem}`)
  }
  await look()
  const stop = clock.every(lookEveryMs, () =>
    look().catch((error) => log.warn({ err: error }, 'AGENT_HOME not read')),
  )
  return {
    /** The team's words for a channel, the channel's own behind them; left out: in none. */
    words: (channel = ''): TeamWords => ({
      instructions: instructionsIn(state.instructions, profileIn(channel)?.instructions ?? null),
      skills: skillsIn(channel).map(({ name, description }) => ({ name, description })),
      templates: state.templates,
    }),
    tools: (): readonly Tool[] =>
      state.skills.length === 0 ? state.tools : [readSkill, ...state.tools],
    /** Returns the files that cannot be used, one sentence each. */
    problems: () => state.problems,
    stop,
  }
}

const instructionsIn = (team: string | null, here: string | null) =>
  here === null ? team : present([team, `In this channel:\n${here}`]).join('\n\n')

const nothing: State = { instructions: null, skills: [], templates: [], tools: [], problems: [] }

interface File {
  path: string
  /** Stamp that changes with the file. */
  stamp: string
}
/** Lists the files of the folder, or returns `null` if it cannot be read. */
async function filesOf(folder: string) {
  if ((await readdir(folder).catch(() => null)) === null) return null
  const [skills, tools] = await Promise.all([
    namesIn(join(folder, 'skills')),
    namesIn(join(folder, 'tools')),
  ])
  const all = async (paths: string[]) =>
    (await Promise.all(paths.map(stamped))).filter((file) => file !== null)
  const programs = tools.filter((name) => /(?<!\.d|\.test)\.ts$/.test(name))
  return {
    instructions: await stamped(join(folder, 'instructions.md')),
    plans: await all(await templatesIn(folder)),
    skills: await all(skills.map((name) => join(folder, 'skills', name, 'SKILL.md'))),
    tools: await all(programs.map((name) => join(folder, 'tools', name))),
  }
}

type Files = NonNullable<Awaited<ReturnType<typeof filesOf>>>

const namesIn = async (folder: string) => (await readdir(folder).catch(() => [])).sort()

const stamped = (path: string): Promise<File | null> =>
  stat(path).then(
    ({ mtimeMs, size, ino }) => ({ path, stamp: `${mtimeMs}-${size}-${ino}` }),
    () => null,
  )

async function read(files: Files): Promise<State> {
  const problems: string[] = []
  const instructions = files.instructions && (await readInstructions(files.instructions, problems))
  const skills: Skill[] = []
  for (const { path } of files.skills.slice(0, skillsMost)) {
    const head = readHead(await readFile(path, 'utf8').catch(() => ''))
    if (typeof head === 'string') problems.push(`${path} ${head}`)
    else if (skills.some(({ name }) => name === head.name))
      problems.push(`${path}: another skill is called ${head.name}`)
    else skills.push({ ...head, folder: dirname(path) })
  }
  if (files.skills.length > skillsMost)
    problems.push(`there are more than ${skillsMost} skills; the rest is not used`)
  const tools: Tool[] = []
  for (const { path, stamp } of files.tools) {
    const tool = await loadTool(path, stamp)
    if (typeof tool === 'string') problems.push(`${path} ${tool}`)
    else if (tools.some(({ name }) => name === tool.name))
      problems.push(`${path}: another tool is called ${tool.name}`)
    else tools.push(tool)
  }
  const plans = await readTemplates(files.plans.map(({ path }) => path))
  problems.push(...plans.problems)
  return { instructions, skills, templates: plans.templates, tools, problems }
}

async function readInstructions({ path }: File, problems: string[]): Promise<string | null> {
  const text = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (text.length > instructionsMost)
    problems.push(`${path} is longer than ${instructionsMost} characters; the rest is not used`)
  return text === '' ? null : cleanText(text.slice(0, instructionsMost))
}
