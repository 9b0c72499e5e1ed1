import type { Language } from './language.ts'

const connect = ['connect', 'set up', 'setup', 'install', 'configure', 'how do i', 'how can i', 'how to']

export const english: Language = {
  scenarios: [
    {
      keywords: [['compare'], ['venue']],
      tag: 'offsite',
      question: { text: 'Which city?', choices: ['Lisbon', 'Berlin', 'Barcelona'] },
      notes: ['Compare the venues', 'Book a date for the offsite'],
    },
    {
      keywords: [['plan'], ['onboarding', 'first week']],
      tag: 'onboarding',
      question: { text: 'When does it begin?', choices: ['Next Monday', 'On the first of the month'] },
      notes: ['Set up accounts and a laptop', 'Plan the first week day by day'],
    },
    {
      keywords: [['why'], ['sign-ups', 'signups']],
      tag: 'sign-ups',
      question: { text: 'Since when?', choices: ['This week', 'This month', 'This year'] },
      notes: ['Collect the sign-up figures', 'Ask what was changed before they dropped'],
    },
  ],
  manual: [
    {
      keywords: [connect, ['slack']],
      answer:
        'Create an app from `docs/slack-manifest.json` at `api.slack.com/apps`, set `SLACK_APP_TOKEN` and `SLACK_BOT_TOKEN` in `.env`, start Clew again and write `/invite @Clew` in a channel. `npm run doctor` checks it; `docs/slack.md` is the manual.',
    },
    {
      keywords: [connect, ['discord']],
      answer:
        'Make an application at `discord.com/developers/applications`, turn its *Message Content Intent* on, set `DISCORD_TOKEN` in `.env` and start Clew again. `npm run doctor` checks it and prints the invite link; `docs/discord.md` is the manual.',
    },
    {
      keywords: [connect, ['model', 'openai', 'llm', 'api key', 'ollama']],
      answer:
        'Set `OPENAI_API_KEY` in `.env`, or `OPENAI_BASE_URL` for any compatible endpoint, such as one on this machine, and start Clew again. `OPENAI_MODEL` names the model; `.env.example` lists every setting and `README.md` explains them.',
    },
  ],
  greetings: ['hi', 'hello', 'hey', 'hello clew', 'hi clew', 'help', 'what can you do', 'who are you'],
  addTodos: /^(?:please )?(?:add|put|note) (.+?) (?:to|on) (?:my|the|our) (?:to-?do|list)/i,
  separators: /, and |, | and /,
  showTodos: [
    ['show', 'list', 'what', 'post', 'look'],
    ['to-dos', 'todos', 'to-do list', 'is due', 'are due', 'overdue', 'still to do'],
  ],
  views: [
    { word: 'overdue', view: 'overdue' },
    { word: 'today', view: 'today' },
  ],
  rule: /^(?:please )?remind (?:me|us)\b|^(?:each|every) (?:(?:other|first|last|\d{1,3}|two|three) )?(?:minute|hour|day|weekday|week|month|year|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/i,
  reminds: ['remind'],
  codes: ['fix ', 'implement ', 'refactor ', 'debug ', 'please fix ', 'please implement ', 'please refactor '],
  summarizes: [
    ['summarise', 'summarize', 'sum up', 'recap'],
    ['this thread', 'this conversation', 'this discussion'],
  ],
  words: {
    hello:
      'Hello! I’m Clew, and this is a rehearsal without a model: try “Compare the three venues and book a date for the offsite”, “Every weekday at nine, post what is due today” or “Add milk and bread to my to-dos”, or ask how to connect a model, Slack or Discord.',
    needsModel:
      'This needs a language model, and this rehearsal has none: to connect one, set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` for a local model, and start Clew again.',
    look: (tag) => `See which to-dos there are for “${tag}”`,
    show: (view) => (view === 'all' ? 'Look at the to-dos' : `Look at the to-dos: ${view}`),
    put: (note) => `Put “${note}” on the to-do list`,
    schedule: (request) => `Schedule “${request}”`,
    about: (answer) => ` (${answer})`,
    failed: (step, why) => `This did not work: ${step}. ${why}\nHow should I go on?`,
    done: (done, total) => `Steps done: ${done} of ${total}.`,
    leaveOut: 'Without this step',
    notDone: (step, why) => `Not done: ${step}. ${why}`,
    answered: (name, question, answer) => `${name} answered “${question}” with “${answer}”.`,
    added: (name, text) => `${name} added “${text}”.`,
    unanswered: (question) => `Nobody was there to answer “${question}”`,
    begun: 'Nothing is done yet.',
    summary: (count, people) =>
      `This thread has ${count} messages${people.length === 0 ? '' : ` of ${people.join(', ')}`}. This is a rehearsal; what they came to needs a model.`,
    rehearsal:
      'This was a rehearsal: what is above is all that was done, and nothing outside Clew. A model does the work itself; to connect one, set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` for a local one, and start Clew again.',
  },
}
