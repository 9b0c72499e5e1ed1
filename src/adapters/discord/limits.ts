/**
 * Limits of Discord, and our own where Discord sets none. Lengths are in UTF-16 units, as Discord
 * counts them.
 */
export const limits = {
  contentCharacters: 2000,
  /** Most parts of a text. A longer text is sent as a file, with its beginning as the message. */
  textParts: 5,
  /** Longest code that fits into a message beside a few words. */
  codeCharacters: 1_800,
  filesOfMessage: 10,
  /** Most messages for a file's text in a channel that allows no attachments. */
  fileParts: 10,
  titleCharacters: 100,
  buttonLabel: 80,
  buttonsPerRow: 5,
  customId: 100,
  optionLabel: 100,
  modalTitle: 45,
  modalText: 4000,
  inputLabel: 45,
  nonceCharacters: 25,
  choices: 25,
  choiceCharacters: 100,
  /**
   * Age up to which a plan is edited. Edits of older messages have their own limit (30046), so an
   * older plan is posted again.
   */
  editableMs: 55 * 60_000,
  /** Time for which a token is used. It expires after 15 minutes, and a later use would be lost. */
  tokenMs: 14 * 60_000,
  /** Shortest time between two updates of one plan. A channel allows 5 edits in 5 seconds. */
  planEveryMs: 1_100,
  planBurst: 3,
  /** Rate limit of an application, without the first answers to interactions. */
  requestsASecond: 50,
  /** Requests in the last second from which on plans wait, to leave the rest for other messages. */
  plansBelow: 35,
  planAgainMs: 300,
  /** Refresh interval of the typing indicator, which Discord shows for ten seconds. */
  typingEveryMs: 8_000,
  /** Shortest time between two updates of a workspace. */
  progressEveryMs: 100,
  /** Longest rate limit that is waited out. After a longer one the outbox retries. */
  waitMs: 1_500,
  /** Timeout of a request. After it, the outcome is unclear. */
  requestMs: 10_000,
  /** Longest wait for the store. Discord requires the first answer to an interaction within 3 s. */
  storeMs: 2_000,
  /** Time after an interaction in which its result may be ready before the first answer. */
  answeredMs: 3_000,
  /** Time after which a connection that neither resumed nor restarted is discarded. */
  reconnectMs: 60_000,
  /** Pause before a failed connection is tried again. */
  retryMs: 5_000,
  /**
   * Limits for a thread that Clew is mentioned in: pages of a hundred, and messages from the
   * beginning of a longer one.
   */
  threadPages: 2,
  threadFirst: 20,
  /** Limits when reading for a person: pages of a hundred messages, and people listed. */
  historyPages: 2,
  peopleFound: 20,
  /** Lines read from the channel above a first mention: their number and longest age. */
  linesAbove: 10,
  linesAboveMs: 24 * 60 * 60_000,
  /**
   * Age up to which an edit may address Clew. It stays within the day for which the inbox knows all
   * keys.
   */
  addressedByEditMs: 20 * 60 * 60_000,
  /** Pages of a hundred missed messages that are fetched from one channel. */
  catchUpPages: 20,
  /** Interval at which changed cursors are written. */
  noteEveryMs: 2_000,
  /** Age of the last message after which a thread's cursor is dropped. */
  noteForMs: 30 * 24 * 60 * 60_000,
  /** Longest time from opening a thread until its conversation is stored. */
  openingMs: 60_000,
  /** Time after a question in which a reply waits for the question's conversation to be stored. */
  askingMs: 3_000,
  /** Time for which a channel is used without threads after they refused messages (C341). */
  withoutThreadsMs: 60 * 60_000,
  archiveMinutes: 1440,
  /** Limits of attachments: files of a message, size of each, and download time. */
  files: 10,
  fileBytes: 8 * 1024 * 1024,
  fetchMs: 5_000,
} as const

const epoch = 1_420_070_400_000

/** Returns the creation time of an id, in milliseconds since the epoch. */
export const timeOf = (id: string) => Number(BigInt(id) >> 22n) + epoch

/** Returns the smallest id of an instant. */
export const idAt = (ms: number) => String(BigInt(Math.max(0, Math.floor(ms) - epoch)) << 22n)

/** True if id `a` is later than `b`. */
export const isAfter = (a: string, b: string) =>
  a.length > b.length || (a.length === b.length && a > b)

/** Returns the id just before another, to read from that one on. */
export const idBefore = (id: string) => String(BigInt(id) - 1n)
