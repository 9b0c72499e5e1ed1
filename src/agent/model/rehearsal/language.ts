/** Of each group one word has to be in the text, in any order. Words are lower case. */
export type Keywords = readonly (readonly string[])[]

export interface Question {
  readonly text: string
  readonly choices: readonly string[]
}

/** A request that becomes to-dos: it looks at the list, asks its question and then notes what people have to do. */
export interface Scenario {
  readonly keywords: Keywords
  readonly tag: string
  readonly question: Question
  readonly notes: readonly string[]
}

/** Everything that rehearsal reads and says in one language. */
export interface Language {
  readonly scenarios: readonly Scenario[]
  /** Questions that the manual answers. */
  readonly manual: readonly { readonly keywords: Keywords; readonly answer: string }[]
  /** Whole messages that get `words.hello`. */
  readonly greetings: readonly string[]
  /** `Add milk and bread to my to-dos`: the names are in the first group, between `separators`. */
  readonly addTodos: RegExp
  readonly separators: RegExp
  readonly showTodos: Keywords
  /** Words of a request, and the view of the to-dos that they ask for. */
  readonly views: readonly { readonly word: string; readonly view: string }[]
  /** The rule that a request for a schedule begins with. */
  readonly rule: RegExp
  /** Words of a schedule that only has to say something (F13). */
  readonly reminds: readonly string[]
  /** What a request to a coding agent begins with. */
  readonly codes: readonly string[]
  readonly summarizes: Keywords
  readonly words: Words
}

interface Words {
  readonly hello: string
  /** For everything that is beyond a rehearsal. */
  readonly needsModel: string
  look(tag: string): string
  show(view: string): string
  put(note: string): string
  schedule(request: string): string
  /** Stands behind a note: what people answered. */
  about(answer: string): string
  failed(step: string, why: string): string
  readonly leaveOut: string
  /** The first line of a report. */
  done(done: number, total: number): string
  /** Of a step that did not work. */
  notDone(step: string, why: string): string
  answered(name: string, question: string, answer: string): string
  added(name: string, text: string): string
  unanswered(question: string): string
  /** Of a round that has not come to anything yet. */
  readonly begun: string
  summary(count: number, people: readonly string[]): string
  /** The end of every report. */
  readonly rehearsal: string
}
