import { commandTables } from '../../agent/commands/own-commands.ts'
import { formOf } from '../../agent/commands/usage.ts'
import { present } from '../../agent/domain/present.ts'
import { texts } from '../../locales/texts.ts'

/** Scopes of the bot. `npm run doctor` can name the reason for each. */
export const botScopes = Object.keys(texts('en').doctor.slack.scopes)

/** Names of the message shortcuts, in the manifest and in events. */
export const shortcuts = { open: 'clew_open_task', stop: 'clew_stop' } as const

/** Events that the app subscribes to. */
export const botEvents = [
  ...[
    'app_mention',
    'message.channels',
    'message.groups',
    'message.im',
    'message.mpim',
    'app_home_opened',
  ],
  ...[
    'agent_session_stopped',
    'member_joined_channel',
    'reaction_added',
    'app_uninstalled',
    'tokens_revoked',
  ],
] as const

/**
 * Slack's form of `/task` starts a task. Slack has `/help` and all other commands except
 * `/strategy`, which is about a thread (C44).
 */
const task = {
  command: '/task',
  description: 'Give Clew a task, or list yours',
  usage_hint: '<what you need>',
}
const tables = commandTables.filter(({ name }) => !['task', 'help', 'strategy'].includes(name))
const commands = tables.map(({ name, about, subcommands }) => {
  const parts = subcommands
    .filter(({ by }) => by !== 'model')
    .map((one) => one.name || formOf(one, 'en'))
  return {
    command: `/${name}`,
    description: texts('en').commands.about[about],
    usage_hint: parts.join(' | '),
  }
})

/**
 * Transport of events. `page` is the public address of Clew's page, where people may sign in with
 * Slack.
 */
export type ManifestMode =
  | { kind: 'socket'; page?: string }
  | { kind: 'http'; baseUrl: string; installs: boolean }

/** Builds the app manifest, to paste into Slack under "From a manifest". */
export function manifest(mode: ManifestMode): Record<string, unknown> {
  const events = mode.kind === 'http' ? new URL('/slack/events', mode.baseUrl).href : null
  const installs = mode.kind === 'http' && mode.installs
  const page = mode.kind === 'http' ? mode.baseUrl : mode.page
  const redirects =
    page === undefined ? [] : present([installs && '/slack/oauth_redirect', '/sign-in/slack/back'])
  const url = events === null ? {} : { url: events }
  return {
    display_information: {
      name: 'Clew',
      description:
        'Works on what you ask for in a thread, with a plan you can watch, and never loses it.',
      background_color: '#1f3a5f',
      long_description:
        'Mention Clew with what you need. It answers, or takes the work on: it plans in the thread, works step by step, asks when something is unclear, goes on from the answer and reports. It survives restarts and crashes. Commands for to-dos and schedules work in every channel.',
    },
    features: {
      agent_view: {
        agent_description:
          'Works on tasks in threads: plans, asks, reports, and never loses the thread.',
        suggested_prompts: [
          { title: 'Plan', message: 'Plan the first week of our new designer' },
          { title: 'Schedule', message: 'Every weekday at nine, post what is due today' },
          { title: 'To-do', message: 'todo add send the invoice --due tomorrow' },
          { title: 'Help', message: 'help' },
        ],
      },
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: 'Clew', always_online: true },
      slash_commands: [...commands, task].map((command) => ({
        ...command,
        ...url,
        should_escape: false,
      })),
      shortcuts: [
        {
          name: 'Open task',
          type: 'message',
          callback_id: shortcuts.open,
          description: 'Hand this message to Clew',
        },
        {
          name: 'Stop',
          type: 'message',
          callback_id: shortcuts.stop,
          description: 'Stop the task in this thread',
        },
      ],
    },
    oauth_config: {
      redirect_urls:
        redirects.length === 0 ? undefined : redirects.map((path) => new URL(path, page).href),
      scopes: { bot: botScopes },
    },
    settings: {
      event_subscriptions: {
        request_url: events ?? undefined,
        bot_events: [...botEvents],
      },
      interactivity: { is_enabled: true, request_url: events ?? undefined },
      org_deploy_enabled: installs,
      socket_mode_enabled: mode.kind === 'socket',
      token_rotation_enabled: false,
    },
  }
}
