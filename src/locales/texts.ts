import { coding as enCoding } from './en/coding.ts'
import { commands as enCommands } from './en/commands.ts'
import { core as enCore } from './en/core.ts'
import { discord as enDiscord } from './en/discord.ts'
import { fetch as enFetch } from './en/fetch.ts'
import { files as enFiles } from './en/files.ts'
import { help as enHelp } from './en/help.ts'
import { library as enLibrary } from './en/library.ts'
import { memory as enMemory } from './en/memory.ts'
import { page as enPage } from './en/page.ts'
import { schedule as enSchedule } from './en/schedule.ts'
import { search as enSearch } from './en/search.ts'
import { slack as enSlack } from './en/slack.ts'
import { strategy as enStrategy } from './en/strategy.ts'
import { summary as enSummary } from './en/summary.ts'
import { task as enTask } from './en/task.ts'
import { todo as enTodo } from './en/todo.ts'
import { coding as zhCoding } from './zh/coding.ts'
import { commands as zhCommands } from './zh/commands.ts'
import { core as zhCore } from './zh/core.ts'
import { discord as zhDiscord } from './zh/discord.ts'
import { fetch as zhFetch } from './zh/fetch.ts'
import { files as zhFiles } from './zh/files.ts'
import { help as zhHelp } from './zh/help.ts'
import { library as zhLibrary } from './zh/library.ts'
import { memory as zhMemory } from './zh/memory.ts'
import { page as zhPage } from './zh/page.ts'
import { schedule as zhSchedule } from './zh/schedule.ts'
import { search as zhSearch } from './zh/search.ts'
import { slack as zhSlack } from './zh/slack.ts'
import { strategy as zhStrategy } from './zh/strategy.ts'
import { summary as zhSummary } from './zh/summary.ts'
import { task as zhTask } from './zh/task.ts'
import { todo as zhTodo } from './zh/todo.ts'

/** Every word that people see, by language. A locale that is not spoken here gets English. */
export interface Texts {
  coding: typeof enCoding
  commands: typeof enCommands
  core: typeof enCore
  discord: typeof enDiscord
  fetch: typeof enFetch
  files: typeof enFiles
  help: typeof enHelp
  memory: typeof enMemory
  library: typeof enLibrary
  page: typeof enPage
  schedule: typeof enSchedule
  search: typeof enSearch
  slack: typeof enSlack
  strategy: typeof enStrategy
  summary: typeof enSummary
  task: typeof enTask
  todo: typeof enTodo
}

const en: Texts = {
  coding: enCoding,
  commands: enCommands,
  core: enCore,
  discord: enDiscord,
  fetch: enFetch,
  files: enFiles,
  help: enHelp,
  memory: enMemory,
  library: enLibrary,
  page: enPage,
  schedule: enSchedule,
  search: enSearch,
  slack: enSlack,
  strategy: enStrategy,
  summary: enSummary,
  task: enTask,
  todo: enTodo,
}
const zh: Texts = {
  coding: zhCoding,
  commands: zhCommands,
  core: zhCore,
  discord: zhDiscord,
  fetch: zhFetch,
  files: zhFiles,
  help: zhHelp,
  memory: zhMemory,
  library: zhLibrary,
  page: zhPage,
  schedule: zhSchedule,
  search: zhSearch,
  slack: zhSlack,
  strategy: zhStrategy,
  summary: zhSummary,
  task: zhTask,
  todo: zhTodo,
}

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** `zh-Hans-CN` → `zh`; anything else that is not Chinese → `en`. */
export function languageOf(locale: string): Language {
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function texts(locale: string): Texts {
  return languageOf(locale) === 'zh' ? zh : en
}
