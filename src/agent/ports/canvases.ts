/** Markdown for a document of its own beside a thread. */
export interface Canvas {
  title: string
  markdown: string
  /** Addresses that it may link to (S21). */
  links: Iterable<string>
}

/** Thread's place that reads it, and the call that makes it. */
export interface CanvasCall {
  workspace: string
  channel: string
  effectId: string
  signal: AbortSignal
}

/**
 * Reason why there is none. `scope`: Clew's app lacks the scope; `plan`: the workspace has none;
 * `away`: not now.
 */
export type CanvasProblem = 'scope' | 'plan' | 'refused' | 'away'

/**
 * Canvases of a platform (C960).
 *
 * Contract: makes one for each effect id, whatever crashes; only those who read the place may read
 * it (S97). After a problem nobody sees anything. Throws only where the store does.
 */
export interface Canvases {
  /** True if Clew may make them there, as far as the platform has told. */
  offers(workspace: string): boolean
  make(canvas: Canvas, call: CanvasCall): Promise<{ link: string } | { problem: CanvasProblem }>
}
