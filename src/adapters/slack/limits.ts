/** What Slack takes and how often, from its manuals and its SDK's types. Texts are counted in UTF-16 units. */
export const limits = {
  /** Of all `markdown` blocks of a message together is 12,000; some room is left for what stands beside them. */
  markdownCharacters: 11_000,
  sectionCharacters: 3_000,
  /** The text beside blocks is for notifications and screen readers. */
  fallbackCharacters: 3_000,
  /** A message without blocks, when Slack refuses them. */
  plainCharacters: 3_500,
  buttonCharacters: 75,
  headerCharacters: 150,
  /** Cards in one plan. */
  tasks: 50,
  taskTitleCharacters: 250,
  homeBlocks: 100,
  /** Channels of a person whose schedules the Home tab looks through. */
  homeChannels: 100,
  /** Least time between two updates of progress in a workspace: `chat.update` is allowed about 50 times a minute (C49). */
  progressEveryMs: 1_500,
  /** How long one call of the Web API may take; longer counts as an unclear outcome. */
  callMs: 15_000,
  /** How long an event waits for who its author is before it is stored without (P4). */
  profileMs: 600,
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
  fileBytes: 5 * 1024 * 1024,
  filesOfMessage: 10,
} as const
