/** What every part of the soak gets. */
export interface Soak {
  /** The `redis-server` program. */
  program: string
  seed: number
  random: () => number
  /** 1 is the whole soak; less makes every part smaller, for trying it. */
  share: number
  say(line: string): void
}

/** What a part of the soak found: its figures in one line, and everything that went wrong. */
export interface Findings {
  figures: string
  failures: readonly string[]
}

export type Section = (soak: Soak) => Promise<Findings>

/** `share` of `most`, at least one. */
export const some = ({ share }: Soak, most: number) => Math.max(1, Math.round(most * share))

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
