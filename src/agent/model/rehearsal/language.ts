/**
 * All of `has` are in the text, which is in lower case; with `only`, which is global, no other word
 * is.
 */
export interface Rule {
  readonly has: readonly RegExp[]
  readonly only?: RegExp
}

export interface Question {
  readonly text: string
  readonly choices: readonly string[]
}

/**
 * A request that becomes to-dos: it looks at the list, asks its question and then notes what people
 * have to do.
 */
export interface Scenario extends Rule {
  readonly tag: string
  readonly question: Question
  readonly notes: readonly string[]
}

/** Everything that rehearsal reads and says in one language. */
export interface Language {
  readonly scenarios: readonly Scenario[]
  /**
   * Rule for questions on how to connect something. With any other word, a sentence is about
   * something else.
   */
  readonly connects: Required<Rule>
  readonly manual: { readonly slack: string; readonly discord: string; readonly model: string }
  /** Whole messages that get `words.hello`. */
  readonly greetings: readonly string[]
  /** `Add milk and bread to my to-dos`: the names are in the first group, between `separators`. */
  readonly addTodos: RegExp
  readonly separators: RegExp
  readonly showTodos: Rule
  /** Words of a request, and the view of the to-dos that they ask for. */
  readonly views: Readonly<Record<string, string>>
  /** The rule that a request for a schedule begins with; what is to be done follows. */
  readonly rule: RegExp
  /**
   * Beginning of a schedule that only posts a text (F13), and the time that it needs without a
   * rule.
   */
  readonly reminds: RegExp
  readonly times: RegExp
  readonly codes: Rule
  readonly summarizes: Rule
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
  /** Names a step that failed, and why. */
  notDone(step: string, why: string): string
  answered(name: string, question: string, answer: string): string
  added(name: string, text: string): string
  unanswered(question: string): string
  /** Summary of a round without results yet. */
  readonly begun: string
  summary(count: number, people: readonly string[]): string
  /** The end of every report. */
  readonly rehearsal: string
}
