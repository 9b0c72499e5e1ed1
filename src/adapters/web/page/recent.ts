import { keep, recall } from './browser-storage.ts'

const most = 8

/** Places and actions that were used in this browser, newest first, each once (C246). */
export const recents = (): string[] => (recall('recent') ?? '').split('\n')

export const noteRecent = (name: string): void =>
  keep('recent', [name, ...recents().filter((other) => other !== name)].slice(0, most).join('\n'))
