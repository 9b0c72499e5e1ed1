/** Limits of the web channel. Texts are counted in characters (code points), so an emoji is one. */
export const limits = {
  /** Longest text of a message or an answer. */
  textCharacters: 40_000,
  /** Longest line about a to-do or a schedule. */
  lineCharacters: 4_000,
  /** Largest body, in bytes: the longest text with each character as a JSON escape pair fits. */
  bodyBytes: 1024 * 1024,
  /** Lifetime of an attached file, in ms, the same as of images of tasks (C160). */
  uploadKeptMs: 14 * 24 * 60 * 60 * 1000,
  /**
   * Lifetime of a file that no message names yet, in ms, and most such files of one person (S30).
   */
  uploadUnsentMs: 24 * 60 * 60 * 1000,
  uploadsUnsent: 20,
  titleCharacters: 200,
  /** Longest search text, and results that are shown at a time. */
  searchCharacters: 300,
  found: 20,
  /** Characters of a found message that are shown, and how many before the match. */
  excerpt: 160,
  excerptBefore: 50,
  /** Runs in a group, and the longest wait for them. */
  groupMost: 50,
  groupMinutesMost: 7 * 24 * 60,
  clientIdCharacters: 100,
  authorIdCharacters: 100,
  authorNameCharacters: 80,
  /** Conversations and runs in a list: by default, and at most. */
  listed: 50,
  listedAtMost: 200,
  /** Messages in the view of a conversation: by default, and at most. */
  messages: 200,
  messagesAtMost: 2_000,
  /** Newest messages among which an own one can be changed; a turn reads as many. */
  ownMessages: 30,
  /** Runs of a conversation that its view names, and of how many newest it shows the plan. */
  runsOfConversation: 30,
  plansOfConversation: 6,
  /**
   * Most schedules and to-dos on a page of the calendar; most times computed for it, at up to 50 µs
   * each; most days, in ms.
   */
  calendarRows: 100,
  calendarWork: 1_500,
  calendarMs: 62 * 24 * 60 * 60 * 1000,
  /** Time after which a request gives up on the store, in ms. */
  storeMs: 5_000,
  /** Time limit of a request about all that is stored of a person, in ms. */
  privacyMs: 120_000,
  /** Time limit of a request about figures of many days, in ms. */
  figuresMs: 30_000,
  /** Longest wait for a platform's names of channels, in ms. */
  namesMs: 1_500,
  /**
   * Least time between two live updates of the plan, in ms: smooth to look at and cheap to store.
   */
  progressEveryMs: 50,
  heartbeatMs: 15_000,
  /** Longest wait of one read of the event log, in ms. */
  eventWaitMs: 15_000,
  /** Time after which an open page is said again, in ms: well below the minute that it counts. */
  watchMs: 20_000,
  eventBatch: 500,
  /** Most events that wait for one slow tab; beyond that it has to fetch everything again. */
  eventBacklog: 1_000,
  /** Time limit of each health page, in ms; many liveness probes give up after 1 s. */
  healthMs: { '/healthz': 500, '/readyz': 2_000 },
  /**
   * Most different wrong tokens per minute from one address; beyond that it is refused for the rest
   * of the minute (S14).
   */
  guessesPerMinute: 20,
  /** Most addresses whose wrong tokens are counted; the least recently seen are dropped. */
  guessers: 10_000,
  /** Idle time after which a session ends, and its longest lifetime, in ms (S27). */
  sessionIdleMs: 12 * 60 * 60_000,
  sessionMs: 7 * 24 * 60 * 60_000,
  /** Time for which a seen session still counts while the store fails, in ms. */
  sessionAwayMs: 15 * 60_000,
  /** Longest time of a sign-in with a platform, in ms. */
  signInMs: 10 * 60_000,
  /**
   * Membership of a member's platform: age at which it is asked again, age up to which it is
   * believed, longest wait, in ms (S26).
   */
  membershipFreshMs: 5 * 60_000,
  membershipMostMs: 15 * 60_000,
  membershipMs: 4_000,
  /** Time for which a platform that did not answer is not asked again, in ms. */
  membershipSilentMs: 15_000,
} as const
