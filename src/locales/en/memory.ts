/** Texts of `/memory`. Facts are passed as Markdown, names of facts as code. */
export const memory = {
  summary:
    'what Clew remembers for you, this thread, this channel and the team, and how to take it back',
  scopes: { me: 'You', thread: 'This thread', channel: 'This channel', team: 'The team' },
  holdsFor: {
    me: 'for the person who asked',
    thread: 'for this thread',
    channel: 'for this channel',
    team: 'for the whole team',
  },
  none: 'Nothing is remembered here. `/memory add The offsite is in Lisbon` changes that.',
  hint: '`/memory forget <name>` forgets one; `/memory restore <name>` undoes that.',
  waiting: (until: string) => `proposed, open until ${until}`,
  onlyPeople: 'Only people decide what is remembered; work may propose facts and look at them.',

  proposed: (fact: string, holds: string) => `Shall I remember this ${holds}? ${fact}`,
  added: (fact: string) => `Remembered: ${fact}`,
  done: {
    proposed: (_: string, fact: string) => `Proposed: ${fact}`,
    added: (_: string, fact: string) => `Remembered: ${fact}`,
    accepted: (name: string, fact: string) => `${name} agreed, so I remember: ${fact}`,
    rejected: (name: string, fact: string) => `${name} declined, so I do not keep ${fact}`,
    expired: (_: string, fact: string) => `Nobody decided in time: ${fact}`,
    revoked: (name: string, fact: string) => `Forgotten, as ${name} asked: ${fact}`,
    archived: (name: string, fact: string) => `Archived, as ${name} asked: ${fact}`,
    restored: (name: string, fact: string) => `Remembered again, as ${name} asked: ${fact}`,
  },
  replaced: (before: string) => `It takes the place of “${before}”.`,
  offers: { accept: 'Remember it', reject: 'Do not', forget: 'Forget it', restore: 'Undo' },
  /** The same about a person's own facts. */
  offersOf: {
    accept: (name: string, id: number) => `Accept ${name}’s fact ${id}`,
    reject: (name: string, id: number) => `Decline ${name}’s fact ${id}`,
    forget: (name: string, id: number) => `Forget ${name}’s fact ${id}`,
    restore: (name: string, id: number) => `Restore ${name}’s fact ${id}`,
  },
  notYours: 'That is somebody else’s own fact: only they decide about it.',

  statuses: {
    pending: 'waiting for somebody to decide',
    accepted: 'accepted',
    rejected: 'declined',
    expired: 'not decided in time',
    active: 'remembered',
    revoked: 'forgotten',
    archived: 'archived',
  },
  source: {
    message: 'It comes from a message in a thread.',
    run: 'It comes from work that was not asked for in a thread.',
    person: 'Somebody wrote it down outside any thread.',
  },
  events: {
    proposed: (_: string) => 'Clew proposed it',
    added: (name: string) => `${name} wrote it down`,
    accepted: (name: string) => `${name} agreed`,
    rejected: (name: string) => `${name} declined`,
    expired: (_: string) => 'nobody decided in time',
    revoked: (name: string) => `${name} had it forgotten`,
    archived: (name: string) => `${name} archived it`,
    restored: (name: string) => `${name} restored it`,
  },
  diff: (before: string, after: string) => `“${before}” became “${after}”`,

  refusals: {
    notFound: (name: string) => `There is no ${name} here. \`/memory list\` shows what there is.`,
    known: (name: string) => `That is known already, as ${name}.`,
    tooMany:
      'Too much is remembered or proposed here already. `/memory list` shows it, `/memory forget` makes room.',
    decided: (status: string, name: string | null) =>
      name === null
        ? `That is decided already: ${status}.`
        : `That is decided already: ${status} by ${name}.`,
    already: (name: string, status: string) => `${name} is already ${status}.`,
    taken: (fact: string) => `Another fact has taken its place: ${fact}`,
  },
  noOwner: {
    me: 'No person asked for this, so there is nobody to remember it for.',
    thread:
      'This was not said in a thread, so there is no thread to remember it for. Try `--scope channel`.',
    channel: 'There is no channel here.',
    team: 'Direct messages belong to no team here. Try `--scope me`.',
  },
  /** Usage errors of this command's own. */
  errors: {
    no_text: () => 'Say what to remember.',
    too_long: (limit: string) => `That is too long; a fact has at most ${limit} characters.`,
  },
}
