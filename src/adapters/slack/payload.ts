/** What is left of Slack's payloads once they are read. */

export interface SlackFile {
  id: string
  name: string
  mimetype: string
  size: number
  url: string | null
}

export interface SlackMessage {
  channel: string
  ts: string
  /** The thread it belongs to, or would open. */
  thread: string
  user: string
  text: string
  clientId: string | null
  /** Written by a bot or an integration. */
  bot: boolean
  direct: boolean
  /** Of a reply: who wrote the thread's first message. */
  parentUser: string | null
  files: SlackFile[]
}

export interface Named {
  id: string
  name: string
}

export interface Click {
  user: Named
  /** Null on the Home tab, like `thread`. */
  channel: string | null
  thread: string | null
  actionId: string
  value: string
  actionTs: string
  onHome: boolean
}

export interface SlashCommand {
  /** With its slash. */
  name: string
  text: string
  channel: string
  user: Named
  triggerId: string
}
