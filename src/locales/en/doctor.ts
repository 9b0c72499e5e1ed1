type Names = { key: string; url: string; model: string; other: string }

const slackPage = 'https://api.slack.com/apps (your app)'
const oauthPage = `${slackPage} › OAuth & Permissions`
const portal = 'https://discord.com/developers/applications (your application)'

/**
 * Texts of the doctor, in `npm run doctor` and on the page under “Set up”. Names of settings, files
 * and menus stay as they are.
 */
export const doctor = {
  understood: 'Settings: all understood.',
  inEnv: 'Correct it in .env or the environment; .env.example has every setting.',
  changed: (names: string) => `Changed since Clew started: ${names}.`,
  restart: 'Start Clew again to apply them.',
  late: (seconds: number) => `No answer within ${seconds} seconds.`,
  lateMend: 'Check the network, then check again.',
  broken: 'This could not be checked.',
  brokenMend: 'The log says why.',

  embedded: (folder: string) =>
    `Store: embedded, in ${folder}; for one process and one small team.`,
  redisAnswers: 'REDIS_URL: it answers.',
  redisMend:
    'Change it in the configuration of your Redis or Valkey; compose.yaml has one that fits.',
  redisAway: 'Start the server, or correct REDIS_URL.',

  noModel: 'Model: none, so Clew only plays prepared examples.',
  noModelMend: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a local model.',
  offer: (server: string, settings: string) =>
    `${server} is running on this machine. To use it, set ${settings}.`,
  noModelSet: 'Model: none is set.',
  noModelSetMend: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a local one.',
  modelAnswers: (name: string, host: string) => `Model: ${name} at ${host} answers.`,
  askedFor: (host: string, name: string) => `${host}, asked for ${name},`,
  modelFails: (who: string, does: string) => `Model: ${who} ${does}.`,
  startAgain: 'Then start Clew again.',

  noSearch: 'Search: none, so tasks cannot look anything up on the web.',
  noSearchMend:
    'Set SEARCH_PROVIDER to searxng (your own server), brave or tavily (both need a key).',
  searches: (name: string) => `Search: ${name} answers.`,
  checkSetting: (name: string) => `Check ${name}.`,

  folderRead: (name: string) => `INDEX_FOLDERS: ${name} can be read.`,
  folderUnread: (path: string) => `INDEX_FOLDERS: ${path} is not a folder that can be read.`,
  correct: 'Correct it in .env.',
  codingWrites: 'CODING_FOLDER: Clew can write to it.',
  codingFresh: (path: string) =>
    `CODING_FOLDER: ${path} does not exist yet; Clew and the runner create it.`,
  codingFreshMend: 'Start the runner with npm run coding-runner; docs/coding.md says how.',
  codingLocked: (path: string) => `CODING_FOLDER: Clew cannot write to ${path}.`,
  codingLockedMend: 'Give the user that runs Clew write access to it.',
  /** Texts about an agent that Clew starts (`CODING_AGENT`); `said`: its own words, or blank. */
  agent: {
    answers: (name: string) => `CODING_AGENT: ${name} answers and opens a session.`,
    forgets:
      'CODING_AGENT: it cannot take up an earlier session; after a crash it looks at its clone instead.',
    notFound: (program: string) => `CODING_AGENT: there is no program ${program}.`,
    notFoundMend: 'Install it, or set its full path: it is looked for in the PATH of Clew.',
    ended: (said: string) => `CODING_AGENT: it ended before it opened a session. ${said}`,
    endedMend:
      'Start it by hand as the user that runs Clew. It sees only the variables that CODING_VARIABLES names.',
    silent: (said: string) =>
      `CODING_AGENT: it starts, but does not answer in the Agent Client Protocol. ${said}`,
    silentMend:
      'Most agents need a word or an option for it, such as acp or --acp; docs/coding.md names some.',
    version: 'CODING_AGENT: it speaks another version of the Agent Client Protocol.',
    versionMend: 'Install a release of it that speaks version 1.',
    signIn: (said: string) => `CODING_AGENT: nobody is signed in to it. ${said}`,
    signInMend:
      'Start it by hand as the user that runs Clew and sign in, or name its key in CODING_VARIABLES.',
    refused: (said: string) => `CODING_AGENT: it opens no session. ${said}`,
    refusedMend: 'Correct its own settings; started by hand it says more.',
    mode: (id: string) => `CODING_AGENT: its sessions begin in its mode ${id}.`,
    modeMend: (ids: string) =>
      `If it is to ask before it acts, set CODING_MODE to the mode that does. It has ${ids}.`,
    noMode: 'CODING_MODE: the agent has no such mode.',
    noModeMend: (ids: string) =>
      ids === '' ? 'It has none; remove the setting.' : `Set one of these: ${ids}.`,
    repoMend:
      'Correct CODING_REPO: a folder with a git repository, or an address that git can clone.',
  },
  server: (name: string, tools: number) =>
    `MCP server ${name}: ${tools} ${tools === 1 ? 'tool' : 'tools'}.`,
  serverMend: 'Correct its entry in MCP_CONFIG, or start it by hand to see its error.',
  serverSignIn: (name: string) => `MCP server ${name} needs a sign-in (401).`,
  serverSignInMend: 'Give it a valid key in the headers of its entry; Clew tries again by itself.',
  serverOdd: (name: string, line: string) => `MCP server ${name}: ${line}.`,
  serverOddMend: 'Its other tools work. Report this to whoever makes the server.',
  toolsAsk: (names: string) => `Tools that ask people before they act: ${names}.`,
  toolsUnasked: (names: string) => `Tools that act without asking: ${names}.`,
  toolsUnaskedMend: 'To make one ask first, set AGENT_TOOL_APPROVAL=name=always.',
  typesMend: 'Use the types from clew/tool.',
  homeMend: 'docs/agent-home.md shows the format of each file.',
  connectors: (names: string) => `CONNECTORS_FILE: ${names} can start work.`,
  connectorsMend: 'docs/connectors.md shows the format of the file.',

  slack: {
    redirects: `${oauthPage} › Redirect URLs`,
    none: 'Slack: not set up.',
    noneMend: '`npm run setup` takes you through it; docs/slack.md says how to do it by hand.',
    unlooked:
      'Slack: workspaces install Clew themselves, so the doctor looked at none of their tokens.',
    events: 'Slack: these tokens cannot show which events the app is subscribed to.',
    eventsMend: `Compare ${slackPage} › App Manifest with the output of \`npm run manifest\`.`,
    scopesGranted: 'Slack: all scopes are granted.',
    scopeMissing: (scope: string, reason: string) =>
      `Slack: the scope ${scope} is missing; Clew cannot ${reason}.`,
    scopeMend: (scope: string) =>
      `${oauthPage} › Bot Token Scopes › Add an OAuth Scope › ${scope}, then "Reinstall to Workspace".`,
    noChannel: 'Slack: Clew is in no channel.',
    noChannelMend: 'Write /invite @Clew in a channel.',
    channels: (names: string, more: number) =>
      `Slack: Clew is in ${names}${more > 0 ? ` and ${more} more` : ''}.`,
    channelsUnknown: (reason: string) => `Slack: its channels could not be listed (${reason}).`,
    overHttp:
      'Slack: events come over HTTP; the first one will show whether SLACK_SIGNING_SECRET is right.',
    overHttpMend: `${slackPage} › Event Subscriptions: the Request URL ends in /slack/events and says "Verified".`,
    noEntrance:
      'Slack: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set, so no event can come in.',
    noEntranceMend: `${slackPage} › Basic Information › App-Level Tokens (Socket Mode) or Signing Secret (HTTP).`,
    socket: 'SLACK_APP_TOKEN: Socket Mode can be opened.',
    socketMend: `${slackPage} › Basic Information › App-Level Tokens: one with the scope connections:write; and Socket Mode › Enable.`,
    answers: (code: string, needed: string | null) =>
      `Slack answers ${code}${needed === null ? '' : ` (it needs ${needed})`}`,
    away: 'Slack cannot be reached from here',
    unclear: 'Slack gave no usable answer',
    tokenMend: `${oauthPage} › Bot User OAuth Token: copy it again (it begins with xoxb-); it changes after "Reinstall".`,
    networkMend: 'Check the network, and SLACK_API_URL if it is set; the tokens may be right.',
    /** Words after “Clew cannot …”, for every scope that Clew asks for. */
    scopes: {
      'app_mentions:read': 'see when people mention it',
      'assistant:write': 'show that it is working, with a Stop button',
      'chat:write': 'answer',
      commands: 'take slash commands and shortcuts',
      'channels:history':
        'read and follow threads in public channels, or look things up there for members',
      'channels:read':
        'see who is in a channel (itself included), so it cannot look things up there for its members',
      'groups:history': 'read and follow threads in private channels',
      'groups:read': 'see who is in a private channel (itself included)',
      'im:history': 'get direct messages',
      'im:read': 'see which direct messages it has',
      'im:write': 'write to people directly when it cannot post in a channel',
      'mpim:history': 'read and follow threads in group messages',
      'mpim:read': 'see which group messages it is in',
      'reactions:read': 'see reactions: a message was read, a to-do, a beginning of work',
      'reactions:write': 'mark a message as seen',
      'users:read': 'see names, languages and time zones, or find people by name',
      'files:read': 'read files that people send it',
      'files:write': 'put long reports into files',
      'canvases:write': 'write a report up as a canvas when somebody asks for one',
    },
  },

  /** Texts about signing in on the page, and where to register its redirect. */
  signIn: {
    on: (platform: string, redirect: string) =>
      `${platform}: people can sign in on the page, if its app has the redirect ${redirect}.`,
    off: (platform: string) => `${platform}: people cannot use it to sign in on the page.`,
    offMend: (names: string, redirect: string, where: string) =>
      `To allow this: set ${names} and add the redirect ${redirect}: ${where}`,
  },

  discord: {
    redirects: `${portal} › OAuth2 › Redirects`,
    none: 'Discord: not set up.',
    noneMend: '`npm run setup` takes you through it; docs/discord.md says how to do it by hand.',
    noGuild: 'Discord: Clew is in no server.',
    invite: (link: string) => `Ask an admin to open ${link}`,
    inviteThere: (link: string) => `Ask an admin there to open ${link}`,
    link: (link: string) => `Discord: the invite link is ${link}`,
    refused: (status: number) => `DISCORD_TOKEN: Discord answers ${status}.`,
    away: 'Discord cannot be reached from here.',
    tokenMend: `Make a new token (${portal} › Bot › Reset Token) and set DISCORD_TOKEN.`,
    wrongToken: 'DISCORD_TOKEN: Discord does not know this token.',
    wrapped: 'DISCORD_TOKEN: there are quotes around the token, or “Bot” before it.',
    wrappedMend: 'Write the token alone: no quotes, no “Bot ” before it.',
    networkMend: 'Check the network, and DISCORD_API_URL if it is set; the token may be right.',
    roleLacks: (names: string) => `Clew’s role lacks ${names}`,
    roleMend: (link: string) =>
      `Ask an admin to add it in Server Settings › Roles, or to open the invite link again, which adds it: ${link}`,
    lookedAt: (seen: number, all: number) =>
      `Discord: the doctor looked at ${seen} of ${all} servers.`,
    reads:
      'Discord: Clew can read replies in its threads, and look things up for people (Message Content Intent).',
    noReads:
      'Discord: the Message Content Intent is off. Clew only sees mentions and direct messages, and cannot look things up for people.',
    noReadsMend: `${portal} › Bot › Privileged Gateway Intents › Message Content Intent`,
    finds: 'Discord: tasks can find people by name (Server Members Intent).',
    noFinds: 'Discord: tasks cannot find people by name, because the Server Members Intent is off.',
    noFindsMend: `To allow this: ${portal} › Bot › Privileged Gateway Intents › Server Members Intent`,
    noGateway: 'Discord: it does not say where its gateway is.',
    later: 'Try again later.',
    fewStarts: (left: number) => `Discord: only ${left} new connections are left today.`,
    fewStartsMend: 'Find out what starts Clew over and over; the number resets every day.',
    starts: (shards: number, left: number) =>
      `Discord: ${shards} connection${shards === 1 ? '' : 's'} recommended, ${left} starts left today.`,
    unseen: (guild: string) => `${guild}: its permissions could not be checked.`,
    mayAll: (guild: string) => `${guild}: Clew has every permission it needs in all channels.`,
    lacks: (channel: string, names: string) => `in #${channel} Clew lacks ${names}`,
    moreChannels: (count: number) => `and ${count} more ${count === 1 ? 'channel' : 'channels'}`,
    lacking: (guild: string, lines: string) => `${guild}: ${lines}.`,
    lackingMend:
      'In the channel: Edit Channel › Permissions › Clew’s role. A channel that Clew does not need can stay as it is.',
    stray: (guild: string) => `DISCORD_GUILD_IDS: Clew is not in ${guild}.`,
    noCommands: 'Discord: no commands are registered yet.',
    noCommandsMend: 'Clew registers them when it starts.',
    commands: (names: string) => `Discord: the commands ${names} are registered.`,
  },

  /** Names of an endpoint's models. */
  listed: (names: readonly string[]) => `The endpoint lists: ${names.join(', ')}.`,

  /**
   * Behaviour of a model's endpoint, and what to change (C91, C133). `other` is how to set another
   * model.
   */
  otherModel: (setting: string, isList: boolean) =>
    isList ? `add another one to ${setting}` : `set another ${setting}`,
  /** Before the advice about what passes: while Clew works, and after a trial, which nobody repeats. */
  goesOn: (mend: string) => `Clew waits and continues by itself. ${mend}`,
  tryAgain: (mend: string) => `Try again in a minute. ${mend}`,
  advice: ({ key, url, model, other }: Names) => ({
    key_refused: {
      does: 'refuses the API key',
      mend: `Check ${key}, ${url} and the access to the model.`,
    },
    no_credit: {
      does: 'has no credit left on this account',
      mend: `Top the account up or raise its limit there, or set ${key} to that of another account.`,
    },
    unknown_model: {
      does: 'does not know the model',
      mend: `Check ${model}, AGENT_DECISION_MODEL and ${url}.`,
    },
    wrong_address: {
      does: 'is not there: something else answers at this address',
      mend: `Check ${url}: most endpoints end in /v1, and a proxy or a sign-in page may stand in between.`,
    },
    rate_limited: {
      does: 'takes no more requests for now',
      mend: 'If it happens often, raise the limit there or lower AGENT_RUNS_AT_ONCE.',
    },
    overloaded: {
      does: 'is overloaded or down',
      mend: `If this lasts, look at its status page or log, or ${other}.`,
    },
    unreachable: {
      does: 'cannot be reached',
      mend: `Check ${url}, the network and whether the server runs.`,
    },
    timed_out: {
      does: 'does not answer in time',
      mend: 'For a slow model, raise OPENAI_TIMEOUT_SECONDS and AGENT_DECISION_TIMEOUT_SECONDS.',
    },
    context_too_long: {
      does: 'says a request is too long for the model',
      mend: `Use a model with a larger context window (${model}), or give the local server a larger one.`,
    },
    filtered: {
      does: 'refused a request because of its content filter',
      mend: 'Rewording may help; the provider sets the filter.',
    },
    reply_unusable: {
      does: 'gave an answer that cannot be used',
      mend: `\`npm run doctor\` tests what the model can do; another ${model} may follow instructions better.`,
    },
  }),
}
