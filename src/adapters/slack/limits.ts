/** What Slack takes and how often, from its manuals and its SDK's types. Texts are counted in UTF-16 units. */
export const limits = {
  /**
   * Of all `markdown` blocks of a message together is 12,000. All blocks as they are sent may be about 13,200, in which a line's
   * end or a quotation mark counts twice (C177).
   */
  markdownCharacters: 9_000,
  /** Of the blocks of one text: how many, and how long they are as they are sent; buttons stand below them. */
  blocksOfText: 40,
  blocksCharacters: 11_500,
  sectionCharacters: 3_000,
  /** The text beside blocks is for notifications and screen readers. */
  fallbackCharacters: 3_000,
  /** A message without blocks, when Slack refuses them. */
  plainCharacters: 3_500,
  buttonCharacters: 75,
  actionsPerBlock: 25,
  choiceCharacters: 500,
  headerCharacters: 150,
  /** Cards in one plan. */
  tasks: 50,
  taskTitleCharacters: 250,
  /** Of all titles of a plan together, so that its blocks stay below what a message may have (C177). */
  planTitlesCharacters: 4_500,
  homeBlocks: 100,
  /** Of a form: its title and buttons, a label or what is wrong with a field, and what a field takes. */
  formTitleCharacters: 24,
  labelCharacters: 150,
  formCharacters: 3_000,
  /** Channels of a person whose schedules the Home tab looks through. */
  homeChannels: 100,
  /** Least time between two updates of progress in a workspace: `chat.update` is allowed about 50 times a minute (C49). */
  progressEveryMs: 1_500,
  /** How long one call of the Web API may take; longer counts as an unclear outcome. */
  callMs: 15_000,
  /** How long an event waits for who its author is: Slack wants its acknowledgement within 3 s (P4, S38). */
  profileMs: 1_500,
  profileKeptMs: 6 * 60 * 60 * 1_000,
  profilesInMemory: 5_000,
  /** Messages of a thread or a channel that are read back in search of a delivery. */
  readBack: 200,
  readBackPages: 5,
  /** Slack signs requests with a time; older ones are replays (S6). */
  signatureSeconds: 5 * 60,
  installStateMs: 10 * 60 * 1_000,
  sockets: 2,
  socketPingMs: 5_000,
  helloMs: 10_000,
  reconnectMs: { first: 100, most: 30_000 },
  /** Of a thread that Clew is called into: how much of it is read, and what of that is its beginning. */
  threadMessages: 200,
  threadFirst: 20,
  threadPages: 10,
  /** Of the channel above a first mention: lines, and how old they may be. */
  linesAbove: 10,
  linesAboveSeconds: 24 * 60 * 60,
  /** How often it is noted up to when everything is stored, and how much before that is read again: Slack itself tries for minutes. */
  aliveEveryMs: 30_000,
  aliveOverlapMs: 10 * 60 * 1_000,
  /** Of a channel that was missed: how old first messages may be whose threads are looked at, how many are read, and in how many pages. */
  missedRootsMs: 3 * 24 * 60 * 60 * 1_000,
  missedPage: 200,
  missedPages: 20,
  /** Threads that Clew follows are looked at when something was said in them within this time before. */
  missedFollowed: 500,
  missedThreadsMs: 7 * 24 * 60 * 60 * 1_000,
  /** Calls that are made at once, and the pause between all others: some of what Slack allows in a minute is left for the rest. */
  missedBurst: 20,
  missedEveryMs: 1_500,
  /** Of what is read for a person: pages of members and people, and of a channel's history; and how many people are named. */
  memberPages: 20,
  historyPages: 5,
  peopleFound: 20,
  fileBytes: 5 * 1024 * 1024,
  filesOfMessage: 10,
  sharedOfMessage: 5,
} as const
