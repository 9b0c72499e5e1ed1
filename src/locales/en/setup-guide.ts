/** Texts of `clew setup`, on a terminal. Names of settings, files and menus stay as they are. */
export const setupGuide = {
  intro:
    'This asks for a model, then for Slack and Discord. It tries each and writes what works into .env. Press Enter to skip a question.',
  wrong: 'Some settings cannot be used yet. Fix them in .env, then run this again:',

  model: 'Which model should Clew use?',
  local: (model: string, server: string) => `${model}, on this machine (${server})`,
  keyThere: (provider: string, setting: string) =>
    `${provider}, with the ${setting} that is already set`,
  modelTypes: (offers: number): string =>
    offers > 0 ? 'Type a number, or paste a key or an address.' : 'Paste a key or an address.',
  modelForms: [
    'Keys: sk-… (OpenAI), sk-ant-… (Anthropic), AIza… (Google), gsk_… (Groq), xai-…; for others the name first: mistral …, deepseek …',
    'Addresses: any OpenAI-compatible endpoint, such as http://127.0.0.1:8000/v1; if it needs a key, write it after the address.',
  ].join('\n'),
  modelOrNone: 'Enter: none for now. Clew then only plays prepared examples.',
  modelPrompt: 'Model: ',
  modelName: (provider: string, usual: string) => `Which ${provider} model? (Enter: ${usual}) `,
  keyOrAddress: 'Key or address',
  whichModel: 'Name of the model (empty: the usual one)',
  unclear: 'That is not a number from the list, a kind of key that I know, or an address.',
  trying: 'Trying it…',
  noModel: 'No model for now: Clew only plays prepared examples.',

  slackCreate:
    '1. Open this link: it creates the app with everything Clew needs. Then press “Install to Workspace”.',
  slackBot: '2. OAuth & Permissions › Bot User OAuth Token (xoxb-…)',
  slackApp: '3. Basic Information › App-Level Tokens, with the scope connections:write (xapp-…)',
  begins: (setting: string, beginning: string) => `${setting} begins with ${beginning}.`,
  slackInvite: 'Invite it to a channel with /invite @Clew, then mention it there.',

  discordCreate:
    '1. Open this link › New Application. Then Bot › turn the Message Content Intent on, and Reset Token.',
  discordToken: '2. The token',
  discordInvite: 'Open the invite link above to add it to your server, then mention it there.',

  orLater: ' (Enter: later): ',
  later: 'Left for later; run this again at any time.',
  again: 'Try again, or press Enter to leave it for later.',
  written: (names: string) => `Written to .env: ${names}.`,
  before: 'Your old file is now .env.before.',
  notWritten: (why: string) => `.env was not changed: ${why}. Write the lines yourself:`,
  start: 'Start Clew now? (Enter: yes; n: no) ',
  no: ['n', 'no'],
  startLater: 'Start it with `npm start`. Its page is at http://localhost:3000',
  cutOff: 'Stopped. Everything that worked is in .env.',
}
