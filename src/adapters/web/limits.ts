/** What the web channel takes and keeps. Texts are counted in characters (code points), so an emoji is one. */
export const limits = {
  /** The longest text of a message or an answer. */
  textCharacters: 40_000,
  /** A line about a to-do or a schedule. */
  lineCharacters: 4_000,
  /** Room for that text with every character written as an escape pair in JSON. */
  bodyBytes: 1024 * 1024,
  /** How long a file is kept that somebody attached: as long as the images of tasks (C160). */
  uploadKeptMs: 14 * 24 * 60 * 60 * 1000,
  /** The same until a message names it, and how many of one person wait for theirs (S30). */
  uploadUnsentMs: 24 * 60 * 60 * 1000,
  uploadsUnsent: 20,
  titleCharacters: 200,
  /** What is typed to find threads; and how many of these are shown at a time. */
  searchCharacters: 300,
  found: 20,
  /** Characters of a message that are shown of what was found, and how many before it. */
  excerpt: 160,
  excerptBefore: 50,
  /** Runs of a group, and how long they are waited for. */
  groupMost: 50,
  groupMinutesMost: 7 * 24 * 60,
  clientIdCharacters: 100,
  authorIdCharacters: 100,
  authorNameCharacters: 80,
  /** Conversations and runs in a list, unless asked otherwise; and at most. */
  listed: 50,
  listedAtMost: 200,
  /** Messages in the view of a conversation, unless asked otherwise; and at most. */
  messages: 200,
  messagesAtMost: 2_000,
  /** Among so many of the newest one's own is changed; a turn knows as many. */
  ownMessages: 30,
  /** Runs of a conversation that its view names, and how many of the newest come with their plan. */
  runsOfConversation: 30,
  plansOfConversation: 6,
  /** Schedules and to-dos on a page of the calendar; times that are worked out for it, of which each takes up to 50 µs; its days. */
  calendarRows: 100,
  calendarWork: 1_500,
  calendarMs: 62 * 24 * 60 * 60 * 1000,
  /** How long a request waits for the store before it says that the store is away. */
  storeMs: 5_000,
  /** The same for all that is kept of a person. */
  privacyMs: 120_000,
  /** The same for figures of many days. */
  figuresMs: 30_000,
  /** How long a platform is waited for that tells what its channels are called. */
  namesMs: 1_500,
  /** Least time between two live updates of the plan: smooth to look at and cheap to store. */
  progressEveryMs: 50,
  heartbeatMs: 15_000,
  /** How long one read of the event log waits for something new. */
  eventWaitMs: 15_000,
  eventBatch: 500,
  /** Events that wait for one slow tab before it is told to fetch everything again. */
  eventBacklog: 1_000,
  /** How long each health page waits for its parts; many liveness probes give up after one second. */
  healthMs: { '/healthz': 500, '/readyz': 2_000 },
  /** Different wrong tokens a minute from one address, before all from there are refused for the rest of it (S14). */
  guessesPerMinute: 20,
  /** Addresses whose wrong tokens are counted; the ones that were heard least lately are forgotten. */
  guessers: 10_000,
  /** A session ends so long after it was used last, and at the latest so long after it was begun (S27). */
  sessionIdleMs: 12 * 60 * 60_000,
  sessionMs: 7 * 24 * 60 * 60_000,
  /** While the store is away, those count that were seen within this. */
  sessionAwayMs: 15 * 60_000,
  /** How long signing in with a platform may take. */
  signInMs: 10 * 60_000,
  /** What a platform says that a member sees: asked again after this, believed for so long, waited for so long (S26). */
  membershipFreshMs: 5 * 60_000,
  membershipMostMs: 15 * 60_000,
  membershipMs: 4_000,
  /** One that did not answer is left alone for so long. */
  membershipSilentMs: 15_000,
} as const
