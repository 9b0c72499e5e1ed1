import { type Config, slackEntrance } from '../config.ts'

/** What is wrong with settings that are right each by itself, one line each. */
export function contradictions(config: Config): string[] {
  const problems: string[] = []
  const loopback = ['::1', 'localhost'].includes(config.HOST) || /^127\.[\d.]+$/.test(config.HOST)
  if (!loopback && config.WEB_TOKEN === undefined)
    problems.push(
      `HOST: ${config.HOST} can be reached by others, so set WEB_TOKEN to a secret of at least 8 characters`,
    )
  const needed = { none: null, searxng: 'SEARXNG_URL', brave: 'BRAVE_API_KEY', tavily: 'TAVILY_API_KEY' } as const
  const setting = needed[config.SEARCH_PROVIDER]
  if (setting !== null && config[setting] === undefined)
    problems.push(`SEARCH_PROVIDER: ${config.SEARCH_PROVIDER} needs ${setting}`)
  for (const name of ['AGENT_MAX_COST', 'AGENT_PERSON_COST_PER_DAY', 'AGENT_COST_PER_DAY'] as const)
    if (config[name] !== undefined && Object.keys(config.MODEL_PRICES).length === 0)
      problems.push(`${name}: needs MODEL_PRICES`)
  if (config.WORKING_HOURS[0] >= config.WORKING_HOURS[1])
    problems.push('WORKING_HOURS: the first hour must come before the second')
  problems.push(...slackContradictions(config))
  return problems
}

/** Settings of Slack that make no sense without another one. */
function slackContradictions(config: Config): string[] {
  const problems: string[] = []
  const { SLACK_BOT_TOKEN, SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, ENCRYPTION_KEY } = config
  const entrance = slackEntrance(config)
  const oauth = { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, ENCRYPTION_KEY }
  const installs = SLACK_CLIENT_ID !== undefined || SLACK_CLIENT_SECRET !== undefined
  if ((SLACK_BOT_TOKEN !== undefined || installs) && entrance === null)
    problems.push('SLACK_APP_TOKEN: is missing (Socket Mode), or SLACK_SIGNING_SECRET (HTTP): Slack needs one of them')
  if (SLACK_BOT_TOKEN === undefined && !installs && entrance !== null)
    problems.push('SLACK_BOT_TOKEN: is missing; it is on the page "OAuth & Permissions" of your Slack app')
  if (installs) {
    for (const [name, value] of Object.entries(oauth))
      if (value === undefined) problems.push(`${name}: is missing; installing in several workspaces needs it`)
    if (SLACK_BOT_TOKEN !== undefined)
      problems.push('SLACK_BOT_TOKEN: is for one workspace; leave it out where SLACK_CLIENT_ID installs in several')
  }
  const needsWeb = entrance?.kind === 'http' || installs
  if (needsWeb && config.ROLES.includes('slack') && !config.ROLES.includes('web'))
    problems.push('ROLES: slack over HTTP is served by the role web, so a process needs both')
  return problems
}
