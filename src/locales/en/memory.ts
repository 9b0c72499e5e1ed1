/** Texts of `/memory`. Facts are passed as Markdown, names of facts as code. */
export const memory = {
  summary:
    'what Clew remembers for you, this thread, this channel and the team, and how to make it forget',
  scopes: { me: 'You', thread: 'This thread', channel: 'This channel', team: 'The team' },
  holdsFor: {
    me: 'only for the person who asked me',
    thread: 'for this thread',
    channel: 'for this channel',
    team: 'for the whole team',
  },
  none: 'I don’t remember anything here yet. To add something: `/memory add The offsite is in Lisbon`',
  hint: 'To forget one: `/memory forget <name>`; to undo that: `/memory restore <name>`.',
  waiting: (until: string) => `proposed, open until ${until}`,
  onlyPeople:
    'You decide what I remember. While I’m working I can only suggest facts and look them up.',

  proposed: (fact: string, holds: string) => `Shall I remember this ${holds}? ${fact}`,
  decideAbove: 'I’ll remember what you agree to above.',
  added: (fact: string) => `Remembered: ${fact}`,
  done: {
    proposed: (_: string, fact: string) => `Proposed: ${fact}`,
    added: (_: string, fact: string) => `Remembered: ${fact}`,
    accepted: (name: string, fact: string) => `${name} agreed, so I remember: ${fact}`,
    rejected: (name: string, fact: string) => `${name} said no, so I won’t remember: ${fact}`,
    expired: (_: string, fact: string) =>
      `Nobody decided in time, so I haven’t remembered: ${fact}`,
    revoked: (name: string, fact: string) => `Forgotten, as ${name} asked: ${fact}`,
    archived: (name: string, fact: string) => `Archived, as ${name} asked: ${fact}`,
    restored: (name: string, fact: string) => `Remembered again, as ${name} asked: ${fact}`,
  },
  wouldReplace: (before: string) => `It would replace “${before}”.`,
  replaced: (before: string) => `It replaces “${before}”.`,
  offers: { accept: 'Remember it', reject: 'Don’t remember', forget: 'Forget it', restore: 'Undo' },
  /** The same about a person's own facts. */
  offersOf: {
    accept: (name: string, id: number) => `Accept ${name}’s fact ${id}`,
    reject: (name: string, id: number) => `Decline ${name}’s fact ${id}`,
    forget: (name: string, id: number) => `Forget ${name}’s fact ${id}`,
    restore: (name: string, id: number) => `Restore ${name}’s fact ${id}`,
  },
  notYours: 'That fact belongs to someone else; only they can change it.',

  statuses: {
    pending: 'waiting for someone to decide',
    accepted: 'accepted',
    rejected: 'declined',
    expired: 'not decided in time',
    active: 'remembered',
    revoked: 'forgotten',
    archived: 'archived',
  },
  source: {
    message: 'It comes from a message in a thread.',
    run: 'It comes from something I did outside any thread.',
    person: 'Someone added it outside any thread.',
  },
  events: {
    proposed: (_: string) => 'I proposed it',
    added: (name: string) => `${name} added it`,
    accepted: (name: string) => `${name} agreed`,
    rejected: (name: string) => `${name} declined`,
    expired: (_: string) => 'nobody decided in time',
    revoked: (name: string) => `${name} asked me to forget it`,
    archived: (name: string) => `${name} archived it`,
    restored: (name: string) => `${name} restored it`,
  },
  diff: (before: string, after: string) => `“${before}” became “${after}”`,

  refusals: {
    notFound: (name: string) =>
      `I don’t have a fact called ${name}. \`/memory list\` shows what there is.`,
    known: (name: string) => `I already remember that, as ${name}.`,
    tooMany:
      'I have no room for more facts here. `/memory list` shows them, `/memory forget` makes room.',
    decided: (status: string, name: string | null) =>
      name === null ? 'Too late: nobody decided in time.' : `${name} has already ${status} this.`,
    already: (name: string, status: string) => `Nothing to change: ${name} is marked “${status}”.`,
    taken: (fact: string) => `Another fact has taken its place: ${fact}`,
  },
  noOwner: {
    me: 'I can’t tell who asked, so I can’t remember this for one person. Try `--scope channel`.',
    thread: 'We’re not in a thread, so I can’t remember this for a thread. Try `--scope channel`.',
    channel: 'We’re not in a channel, so I can’t remember this for a channel. Try `--scope me`.',
    team: 'In a direct message I can’t tell which team you mean. Try `--scope me`.',
  },
  /** Usage errors of this command's own. */
  errors: {
    no_text: 'Say what to remember.',
    too_long: (limit: string) => `That’s too long; the limit is ${limit} characters.`,
  },
}
