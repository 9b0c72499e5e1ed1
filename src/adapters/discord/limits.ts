/** Discord's limits, and ours where Discord leaves a choice. Lengths are in UTF-16 units, as Discord counts them. */
export const limits = {
  contentCharacters: 2000,
  /** A text of more parts than this goes as a file, with its beginning as the message. */
  textParts: 5,
  /** Code that a message has room for beside a few words. */
  codeCharacters: 1_800,
  filesOfMessage: 10,
  /** Messages that a file becomes where none may be attached. */
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
  /** Edits of older messages have a limit of their own (30046), so an older plan is posted again. */
  editableMs: 55 * 60_000,
  /** An interaction's token dies after 15 minutes; a late use of it would be lost. */
  tokenMs: 14 * 60_000,
  /** Least time between two updates of one plan: 5 edits in 5 seconds is what a channel takes. */
  planEveryMs: 1_100,
  planBurst: 3,
  /** What an application has for everything but the first answers to gestures. */
  requestsASecond: 50,
  /** While so many requests went out within the last second, plans wait: the rest is for what cannot. */
  plansBelow: 35,
  planAgainMs: 300,
  /** Discord shows for ten seconds that somebody writes. */
  typingEveryMs: 8_000,
  /** Least time between two updates of a workspace. */
  progressEveryMs: 100,
  /** A rate limit that ends within this is waited for; for a longer one the outbox tries again. */
  waitMs: 1_500,
  /** A request that took longer than this may or may not have arrived. */
  requestMs: 10_000,
  /** Discord waits 3 s for the first answer to a gesture; so long one waits for the store. */
  storeMs: 2_000,
  /** How soon after a gesture its answer may be quicker than the first answer to it. */
  answeredMs: 3_000,
  /** A connection that neither resumed nor began again within this is thrown away. */
  reconnectMs: 60_000,
  /** How soon a connection that could not begin at all is tried again. */
  retryMs: 5_000,
  /** Of a thread that Clew is called into: pages of a hundred, and how much of its beginning is read when it is longer. */
  threadPages: 2,
  threadFirst: 20,
  /** Of what is read for a person: pages of a hundred messages, and people that are named. */
  historyPages: 2,
  peopleFound: 20,
  /** Of the channel above a first mention: lines, and how old they may be. */
  linesAbove: 10,
  linesAboveMs: 24 * 60 * 60_000,
  /** Within the day for which every message that was taken is known by its key. */
  addressedByEditMs: 20 * 60 * 60_000,
  /** Missed messages of one channel that are fetched, a hundred at a time. */
  catchUpPages: 20,
  /** How often the place is noted up to which messages are stored. */
  noteEveryMs: 2_000,
  /** Places of threads that are silent for longer are forgotten. */
  noteForMs: 30 * 24 * 60 * 60_000,
  /** How long opening a thread of our own may take until what is said there is known to be for us. */
  openingMs: 60_000,
  /** How long after a question was posted a reply to it is waited with until it is known whose question that is. */
  askingMs: 3_000,
  /** How long a channel is worked in itself once its threads took nothing (C341). */
  withoutThreadsMs: 60 * 60_000,
  archiveMinutes: 1440,
  /** What people attach: how many files of a message are read, how large each may be, and how long fetching it may take. */
  files: 10,
  fileBytes: 8 * 1024 * 1024,
  fetchMs: 5_000,
} as const

const epoch = 1_420_070_400_000

/** When an id was made, in milliseconds since the epoch. */
export const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epoch

/** The smallest id of an instant. */
export const idAt = (ms: number): string =>
  String(BigInt(Math.max(0, Math.floor(ms) - epoch)) << 22n)

/** Whether `a` is the later one of two ids. */
export const isAfter = (a: string, b: string): boolean =>
  a.length > b.length || (a.length === b.length && a > b)

/** The id just before another, for reading from that one on. */
export const idBefore = (id: string): string => String(BigInt(id) - 1n)
