/**
 * Limits of Slack on size and rate, from its manuals and its SDK's types. Text lengths are in
 * UTF-16 units.
 */
export const limits = {
  /**
   * Slack's limit for all `markdown` blocks of a message is 12,000. All blocks as sent may have
   * about 13,200, where a line break or a quotation mark counts twice (C177).
   */
  markdownCharacters: 9_000,
  /**
   * Limits for the blocks of one text: their number, and their length as sent. Buttons come on top.
   */
  blocksOfText: 40,
  blocksCharacters: 11_500,
  sectionCharacters: 3_000,
  /** Length of the text beside blocks, for notifications and screen readers. */
  fallbackCharacters: 3_000,
  /** Length of a message without blocks, used when Slack refuses them. */
  plainCharacters: 3_500,
  buttonCharacters: 75,
  /** Length of what a button carries. */
  valueCharacters: 2_000,
  actionsPerBlock: 25,
  choiceCharacters: 500,
  headerCharacters: 150,
  /** Cards in one plan. */
  tasks: 50,
  taskTitleCharacters: 250,
  /** Length of all titles of a plan together, so that its blocks fit into a message (C177). */
  planTitlesCharacters: 4_500,
  homeBlocks: 100,
  /** Lengths in a form: title and buttons, a label or error of a field, and a field's value. */
  formTitleCharacters: 24,
  labelCharacters: 150,
  formCharacters: 3_000,
  /** Channels of a person whose to-dos and schedules the Home tab reads. */
  homeChannels: 100,
  /**
   * Shortest time between two progress updates in a workspace. `chat.update` is allowed about 50
   * times a minute (C49).
   */
  progressEveryMs: 1_500,
  /** Timeout of a Web API call. After it, the outcome is unclear. */
  callMs: 15_000,
  /**
   * Longest wait for an author's profile: Slack requires an acknowledgement within 3 s (P4, S38).
   */
  profileMs: 1_500,
  profileKeptMs: 6 * 60 * 60 * 1_000,
  profilesInMemory: 5_000,
  /** Messages of a thread or channel that are read back to find a delivery. */
  readBack: 200,
  readBackPages: 5,
  /** Longest age of a signed request; an older one is a replay (S6). */
  signatureSeconds: 5 * 60,
  installStateMs: 10 * 60 * 1_000,
  sockets: 2,
  socketPingMs: 5_000,
  helloMs: 10_000,
  reconnectMs: { first: 100, most: 30_000 },
  /** Time that a socket stays open before the pause to the next one is the first one again. */
  steadyMs: 10_000,
  /**
   * Messages read from a thread that Clew is mentioned in: the most in total, and how many of them
   * come from its beginning.
   */
  threadMessages: 200,
  threadFirst: 20,
  threadPages: 10,
  /** Lines read from the channel above a first mention: their number and longest age. */
  linesAbove: 10,
  linesAboveSeconds: 24 * 60 * 60,
  /**
   * Interval at which the time of the last complete storage is noted, and the span before it that
   * is read again. Slack itself retries for minutes.
   */
  aliveEveryMs: 30_000,
  aliveOverlapMs: 10 * 60 * 1_000,
  /** Tries to take a post back, and the longest pause between two of them. */
  takeBackTries: 3,
  takeBackMs: 2_000,
  /** Replies that arrived before their thread's mention: time, threads, and replies in each. */
  earlyMs: 2 * 60_000,
  earlyThreads: 500,
  earlyReplies: 20,
  /** Time for which Slack may still send the event of a message that was deleted (C336). */
  goneMs: 15 * 60 * 1_000,
  /**
   * Limits for catching up on a channel: age of first messages whose threads are read, messages in
   * a page, and pages.
   */
  missedRootsMs: 3 * 24 * 60 * 60 * 1_000,
  missedPage: 200,
  missedPages: 20,
  /** Limits for followed threads: their number, and the time since their last message. */
  missedFollowed: 500,
  missedThreadsMs: 7 * 24 * 60 * 60 * 1_000,
  /**
   * Calls without a pause when catching up, and the pause between further ones. This leaves part of
   * the rate limit for other calls.
   */
  missedBurst: 20,
  missedEveryMs: 1_500,
  /**
   * Limits when reading for a person: pages of members and people, pages of a channel's history,
   * and people listed.
   */
  memberPages: 20,
  historyPages: 5,
  peopleFound: 20,
  fileBytes: 5 * 1024 * 1024,
  filesOfMessage: 10,
  sharedOfMessage: 5,
} as const
