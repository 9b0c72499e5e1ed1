/** Splits a text with `|` into words and phrases. */
const list = (text: string): string[] => text.split('|').map((one) => one.trim())

/** Numbers of new and dropped steps, without zeros. */
const stepsChanged = (added: number, dropped: number): string => {
  if (added === 0 && dropped === 0) return 'the steps stay the same'
  const fewer = dropped === 0 ? '' : `${dropped} dropped`
  if (added === 0 && fewer !== '') return fewer
  return `${added} new ${added === 1 ? 'step' : 'steps'}${fewer === '' ? '' : `, ${fewer}`}`
}

const orOperator = (name: string | null): string =>
  name === null ? 'whoever runs Clew' : `${name} or whoever runs Clew`

/** Amounts of runs, as `rangesIn` shows them; `cost` is null where no prices are set. */
interface Amounts {
  calls: string
  cost: string | null
  time: string
}

const modelCalls = (calls: string | number): string =>
  `${calls} model ${String(calls) === '1' ? 'call' : 'calls'}`

const figures = ({ calls, cost, time }: Amounts): string =>
  [modelCalls(calls), cost, time].filter((one) => one !== null).join(', ')

/**
 * Texts of the core: turns, runs, questions, progress. Plain sentences; Markdown where a thread
 * shows it.
 */
export const core = {
  /** Words that resume a paused plan, as the whole message or its first clause (C21). */
  resumeWords: [
    'continue',
    'go on',
    'proceed',
    'resume',
    'carry on',
    'please continue',
    'yes, continue',
  ],
  /** Whole messages that only thank (C77). A longer one stands before those that it begins with. */
  thanksWords:
    list(`thank you very much | thank you so much | many thanks | thanks a lot | thanks so much | thanks again |
    ok thanks | thank you | thanks | thankyou | thx |
    cheers`),
  /** Words that people say beside thanks. */
  praise:
    list(`perfect | great | nice | cool | awesome | excellent | lovely | super | brilliant | good | ok | okay |
    well done | good job | great job | great work | that's great | that's perfect | very helpful | that helps`),
  /** Words before a first comma that are not a name. */
  openers:
    list(`yes | yeah | yep | no | nope | ok | okay | sure | right | fine | great | perfect | good | sorry |
    also | and | but | so | then | now | well | please | actually | maybe | perhaps | first | finally |
    however | besides | btw | fyi | note | thanks | today | tomorrow | otherwise | instead | meanwhile`),

  /** Phrases that choose a strategy for a task. */
  strategyWords: {
    step: ['step by step', 'one step at a time', 'carefully', 'with care'],
    batch: ['quick', 'quickly', 'in one go', 'in batches'],
    free: ['freely', 'free hand', 'as you see fit', 'with a tracked plan'],
  },

  /** Request of somebody who forwards another person's message. */
  handedOver: 'Look at this message.',

  /** P18: texts about rows that were set aside. They are kept, with the reason, for an admin. */
  aside: {
    outbox:
      'I couldn’t post one of my messages here. If you’re missing an answer, please ask again; an admin can see which message it was.',
    inbox:
      'I couldn’t handle one of the last messages here. If you’re missing an answer, please send it again in other words; an admin can see why.',
    alarm: (title: string) =>
      `I couldn’t start “${title}” when it was due. Please set it up again; an admin can see why.`,
    lost: 'I lost something here: work in progress, a schedule or a reminder. Check `/task list`, `/schedule list` and `/todo list`, and ask me again for what’s missing. An admin can see what it was.',
    conversation:
      'I lost my place in this thread and rebuilt it from what was said. If I was working on something, please ask me again.',
    run: (title: string) =>
      `I couldn’t go on with “${title}”, so it has ended. Please ask for it again; an admin can see why.`,
  },

  /**
   * Note about a clock time such as 15:00, with the command that sets the zone, if there is one.
   */
  zoneUnset: (clock: string, zone: string, command: string | null) =>
    `I took ${clock} as ${zone} time, because I don’t know your time zone.${command === null ? '' : ` Set it with \`${command}\`.`}`,
  /** `by` is null for a person of the page who gave no name. */
  stopped: (by: string | null, _isOwn: boolean) =>
    by === null ? 'Stopped on Clew’s page.' : `Stopped by ${by}.`,
  stoppedAt: (done: number, total: number) => {
    if (total === 1) return `There was one step, and I${done === 0 ? ' hadn’t' : '’d'} finished it.`
    return done === 0
      ? `I hadn’t finished any of the ${total} steps.`
      : `I’d finished ${done} of ${total} steps.`
  },
  /** Space between two sentences. */
  between: ' ',
  /** Outcome of an item. */
  about: (item: string, text: string) => `${item}: ${text}`,
  /** Above the calls that took effect, while the work can go on. */
  tookEffect: 'What I’ve changed so far:',
  staysDone: 'This was already done, and I haven’t undone it:',
  calledOff: (by: string | null) =>
    `${by === null ? 'Stopped on Clew’s page.' : `Stopped by ${by}.`} I hadn’t started yet.`,
  stopIt: (title: string) => `Shall I stop “${title}”?`,
  stopTitled: (title: string) => `Stop “${title}”`,
  stopsThere: (title: string) => `Stopping “${title}”. Its thread will say how far I got.`,
  runsElsewhere: (titles: readonly string[]) =>
    `Nothing is running in this thread. Elsewhere in this channel I’m working on these for you: ${titles.map((title) => `“${title}”`).join(', ')}.`,
  endedBefore: 'It was already finished when I read your message.',
  canceledToo: (titles: readonly string[]) =>
    `I also stopped what was waiting behind it: ${titles.map((title) => `“${title}”`).join(', ')}.`,
  nothingToCancel: 'Nothing is running here.',
  alreadyEnded: (title: string, status: string) => `“${title}” has already ended (${status}).`,
  planMovedOn: (title: string) =>
    `The plan for “${title}” changed in the meantime, so I didn’t apply your change. Look at the remaining steps and try again.`,
  nothingToContinue: 'Nothing is paused here, so there’s nothing to continue.',
  notRetryable: (title: string) =>
    `“${title}” is still running, so there’s nothing to retry. Stop it first to start over.`,
  runNotFound: 'I can’t find that request any more.',
  feedbackKept: (good: boolean): string =>
    good ? 'Thanks! 👍 Only you and whoever runs Clew see it.' : 'Thanks, noted. 👎',
  feedbackWhy:
    'Thanks, noted. 👎 What was wrong with it? Only you and whoever runs Clew see what you say.',
  feedbackReasons: {
    wrong: 'It is wrong',
    incomplete: 'Something is missing',
    unasked: 'Not what I asked for',
  },
  feedbackOwn: 'In my own words',
  feedbackForm: 'What was wrong with it?',
  test: {
    keep: 'Keep as a test',
    right: 'What would have been right?',
    example:
      'Such as: it names the budget and not Porto. Whoever runs Clew tries it again after a change.',
    kept: 'Kept as a test, without names. Whoever runs Clew tries it again after a change.',
    off: 'I can’t keep this as a test here yet. An admin sets `TESTS` to a folder and starts me again; then press once more.',
    none: 'This can’t be kept as a test: its work isn’t over, isn’t stored any more, or was coding.',
  },
  outsider:
    'I only work for members of this team, so I haven’t done anything with this. Someone on the team can ask me for you; an admin can let guests in.',
  notKnown:
    'I couldn’t check who you are just now, so I haven’t done anything. Please try again in a minute.',
  notAllowed: 'Sorry, you’re not on the list of people who can use me here. An admin can add you.',
  closed: (fault: string | null) =>
    fault === null
      ? 'The rules for this channel have a mistake in them, so I do nothing here until an admin corrects it.'
      : `The rules for this channel have a mistake in them, so I do nothing here until it is corrected: ${fault}`,
  tooFast:
    'That was a lot at once, and I skipped some of it. Wait a minute, then resend what I didn’t answer.',
  answerOnly: (name: string | null) => `Only ${orOperator(name)} can answer this.`,
  approveOnly: (name: string | null) => `Only ${orOperator(name)} can approve this.`,
  staysInThread: 'Your message stays in the thread.',
  alreadyAnswered: (name: string, answer: string) =>
    `Thanks. ${name} has already answered this: “${answer}”.`,
  questionGone: 'Thanks, but I no longer need an answer to this.',
  requestDeleted: 'The message that asked for this was deleted, so I’ve stopped.',
  deletedTitle: 'Deleted request',
  /** Message to a task that a joined message was deleted. */
  takenBack: '(I’ve deleted my message about this; please ignore it.)',
  editTaken: 'I hadn’t started yet, so I’ll use your edit.',
  editSeen: 'I saw your edit and will use it from here on.',
  editedTo: (text: string) => `(changed my earlier message to:) ${text}`,
  emptyMention: 'Hello! Tell me what you need, or write `help` to see what I can do.',

  decisionFailed: (why: string) => `Sorry, I couldn’t answer that. ${why}`,
  /** C92: notice that the model does not answer. */
  modelAway:
    'My model isn’t answering right now; I’ll answer as soon as it does. Write `stop` if you no longer need this.',
  againGone: 'I’ve already retried that message, or it’s too old to retry. Please send it again.',
  /** Note under an offer that was taken, also for anyone who presses it later. */
  triedAgain: (name: string) => `↻ ${name} asked me to try again.`,
  offerTaken: (name: string) => `${name} has already taken care of this.`,
  taskAway: (title: string, why: string) =>
    `${why} I’ll continue “${title}” as soon as the model answers. Write \`stop\` to end it.`,
  /** Reason why the model did not answer, and who can do what (C91). */
  modelFailed: {
    key_refused: 'My language model doesn’t accept my key. An admin can set a valid one.',
    no_credit:
      'The account for my language model has no credit left. An admin can top it up or raise its limit.',
    unknown_model:
      'The language model that I’m set to use doesn’t exist. An admin can choose another one.',
    wrong_address:
      'I can’t find my language model at the address I was given. An admin can correct it.',
    rate_limited: (until: string | null) =>
      `My language model isn’t taking any more requests ${until === null ? 'right now' : `until ${until}`}. That clears by itself; an admin can raise the limit.`,
    overloaded:
      'My language model is overloaded or down. That usually passes within a few minutes.',
    unreachable: 'I can’t reach my language model. If this lasts, an admin can look into it.',
    timed_out:
      'My language model didn’t answer in time. A shorter request may help; an admin can let it take longer.',
    context_too_long:
      'There’s more to read here than my language model can take in at once. Ask with less text or fewer files, or in a new thread.',
    filtered: 'The model’s provider refused this because of its content rules. Rewording may help.',
    reply_unusable:
      'I didn’t get a usable answer from the model. Try again, or put it another way.',
  },
  notConfigured:
    'I’m not connected to a language model yet, so I can’t answer that. An admin can connect one on the “Set up” page, or with `OPENAI_API_KEY`. Commands like `/todo` work already.',
  typeNotAllowed: (type: string) =>
    `Sorry, I’m not allowed to do things like this here (${type}). An admin can allow it.`,
  unknownRunType: (_type: string) =>
    'I can’t go on with this: a different version of Clew started it. Please ask me again.',
  unknownStrategy: (name: string) =>
    `I don’t have a way of working called “${name}”. Choose step (one move at a time), batch (several at once), free (as I see fit) or auto (I pick), or leave it out.`,
  runBroke: (title: string, why: string) =>
    `“${title}” failed: ${why}. Part of it may already have happened, so check before you ask again.`,
  commandBroke: (name: string, why: string) => `\`${name}\` didn’t work: ${why}`,
  createFailed: (problem: string) => `Sorry, I couldn’t start that: ${problem}.`,
  startedOver: 'Trying again.',
  carriesOn: (title: string) =>
    `I’ll go on with “${title}” where it stopped. What’s done stays done.`,
  startedOverAlready: (title: string) => `“${title}” is already being retried.`,
  /** C251: texts about restarting a task at a step. */
  again: {
    begun: (
      name: string,
      title: string,
      { step, text, isDone }: { step: number; text: string; isDone: boolean },
    ) => `${name} ${isDone ? 'restarted' : 'continued'} “${title}” from step ${step}: ${text}`,
    notNow: (title: string) => `“${title}” is still running. Stop it first, then restart it.`,
    noPlan: (title: string) =>
      `“${title}” has no plan to restart from; Retry starts from the beginning.`,
    notBegun: (last: number) =>
      last === 1
        ? 'I can only restart it from step 1; I hadn’t started the others.'
        : `I can restart it from any step up to ${last}; I hadn’t started the others.`,
    repeats: (title: string, step: number, text: string) =>
      `Restarting “${title}” from step ${step} (${text}) may repeat these:`,
    call: (tool: string, input: string) => `- **${tool}** ${input}`,
    more: (count: number) => `- and ${count} more`,
    honest: 'I can’t undo what’s done. Everything from that step on runs again.',
    button: 'Restart anyway',
  },

  /**
   * First line of a thread that Clew opens: who asked, in which words, and whether an answer is
   * needed.
   */
  opening: {
    asked: (name: string, words: string) =>
      `**${name}** asked: ${words}\n\nIf I need an answer, I’ll ask below.`,
    question: (name: string | null, title: string) =>
      `**${title}**${name === null ? '' : `, scheduled by ${name}`}. I need an answer to go on:`,
    /** Line below the report. */
    report: (name: string | null, title: string) =>
      `*${title}${name === null ? '' : ` · scheduled by ${name}`}*`,
  },

  followUp: {
    next: (title: string) => `Next, as agreed: ${title}`,
    closed: 'That was all we agreed on, so I’m done here.',
  },

  /** C332: question for a typed number that may be one of these choices, or itself. */
  whichChoice: (text: string, [first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? `Do you mean the choice “${first}”, or literally “${text}”? Press a button, or write a few more words.`
      : `Do you mean ${[first, ...others].map((one) => `“${one}”`).join(' or ')}? Press a button, or write it out.`,
  /** C331: note that a message went to the task, and did not answer the question. */
  stillOpen: 'Got it. I still need an answer to my question.',
  /** An approval that waits after words that are no clear yes or no. */
  stillOpenConsent:
    'I’ve read that, but I can’t take it for a yes or a no. Press a button on my question, or write just “yes” or “no”.',
  /** C335: note that a message could not be judged while a question is open. */
  notJudged: (name: string) =>
    `${name}, was that for me? I can’t tell right now: my model isn’t answering. If it was, mention me and say it again.`,
  questionPrefix: '',
  stuckQuestion: (item: string) => `I keep getting stuck on “${item}”. What should I do?`,
  stuckChoices: ['Skip this step', 'Try it another way'],
  unknownOutcome: (tool: string, begun: string | null) =>
    `I was interrupted while using “${tool}”${begun === null ? '' : ` (started ${begun})`} and can’t tell whether it went through. Please check: should I go on, or do it again?`,
  unknownOutcomeChoices: ['It worked, go on', 'It didn’t, do it again'],
  approval: {
    asks: (tool: string) => `May I use the tool **${tool}** for this?`,
    /** Sentence on what a call would add. */
    schedules: (title: string, rule: string, isNote: boolean) =>
      `I’d schedule “${title}”: ${rule}.${isNote ? ' It only posts these words.' : ''}`,
    todos: (line: string) => `I’d add this to the to-dos: ${line}`,
    by: (name: string | null, schedule: number | null) => {
      const asker =
        schedule === null
          ? 'Nobody asked for this directly'
          : `Schedule #${schedule} asked for this`
      const way = schedule === null ? '' : ` (schedule #${schedule})`
      const asked = name === null ? asker : `${name} asked for this${way}`
      return `${asked}. I’d use my own access, not yours.`
    },
    once: 'If you approve, I can use it again for this request without asking, unless it’s about something that isn’t from you.',
    /** C897: where each argument of a call comes from. */
    origins: {
      title: 'Where that comes from:',
      from: {
        asker: (name: string) => (name === '' ? 'the request' : `${name}’s words`),
        records: () => 'my records',
        others: (name: string) => (name === '' ? 'somebody else here' : `words of ${name}`),
        event: (source: string) => `an event (${source})`,
        file: () => 'an attached file',
        tool: (name: string) => `a result of ${name}`,
        web: (host: string) => `a page (${host})`,
        task: () => 'my own words',
        model: () => 'my own words',
      },
      strange: (from: string, asker: string | null) =>
        asker === null
          ? `from ${from}, and nobody asked for it`
          : `from ${from}, not from ${asker}`,
      more: (count: number) => `… and ${count} more`,
    },
    hidden: (tool: string, isApproved: boolean) =>
      `The rules for this channel have changed since: **${tool}** is off here now, so I didn’t use it${isApproved ? ', although it was approved' : ''}. If it’s needed, an admin can turn it on again in this channel’s profile; then ask me again.`,
    notShown: (count: number) => `(${count} more characters; the full request is attached)`,
    approve: 'Approve',
    refuse: 'Refuse',
    always: 'Always here',
  },
  /** C764: a plan that is shown before anything acts. */
  service: {
    asks: (server: string, text: string) => `**${server}** asks you:\n\n${text}`,
    asksAlone: (server: string) =>
      `**${server}** asks you for something of your own. I’ve sent you its question privately; answer in the form below, and nobody else reads it.`,
    aloneHow: 'Answer in the form below my message in the thread, so that nobody else reads it.',
    opens: (server: string) =>
      `**${server}** wants you to open a page. I’ve sent you the link privately. Look where it leads before you open it, and press the first button when you’re done there.`,
    opened: 'Done there',
    decline: 'Don’t answer',
    later: 'Not now',
    yes: 'Yes',
    no: 'No',
    skip: 'Leave it blank',
    field: (name: string, at: number, count: number) =>
      count === 1 ? `**${name}**` : `**${name}** (${at} of ${count})`,
    again: (problem: string) => `That doesn’t fit: ${problem}. Please try again.`,
    askerOnly: (name: string | null) =>
      name === null
        ? 'Only the person who asked can answer this.'
        : `Only ${name} can answer this.`,
    answeredAlone: 'in private',
    lost: (server: string, tool: string) =>
      `I was restarted while **${server}** waited for an answer, so its question is lost and I can’t tell what “${tool}” did. Please check there before it’s done again.`,
  },
  signIn: {
    asks: 'To use it for you I need your sign-in there. Open the link, sign in, and come back here.',
    again: 'You’re not signed in yet, or the link was too old.',
    page: (name: string, server: string, host: string) =>
      `${name} asked Clew to use “${server}”. Go on only if you are ${name}: whatever you sign in with at ${host} is used for what ${name} asks for.`,
    go: 'Sign in',
    usedUp:
      'This link was opened in another browser, and works in one alone. Press “Done there” in the thread to get a new one.',
    unknown:
      'This link is too old or was used already. Press “Done there” in the thread, or “Sign in” on Set up, to get a new one.',
    refused: (server: string) =>
      `You didn’t let Clew use “${server}”. Nothing was kept. Press “Don’t answer” in the thread, and Clew goes on without it.`,
    failed: (server: string) =>
      `“${server}” didn’t complete the sign-in. Press “Done there” in the thread to try again.`,
    done: (server: string) =>
      `Signed in at “${server}”. Close this page and press “Done there” in the thread.`,
    /** Of a sign-in that all people share. */
    shared: {
      page: (_: string, server: string, host: string) =>
        `Clew will use “${server}” for everybody here, with the account that you sign in with at ${host}. Go on only if that is yours to decide.`,
      usedUp:
        'This link was opened in another browser, and works in one alone. Begin again where you got it.',
      refused: (server: string) => `You didn’t let Clew use “${server}”. Nothing was kept.`,
      failed: (server: string) =>
        `“${server}” didn’t complete the sign-in. Begin again where you got the link.`,
      done: (server: string) =>
        `Signed in at “${server}” for everybody. Close this page; if a thread waits for it, press “Done there” in it.`,
    },
  },
  plan: {
    asks: 'Here’s my plan. I haven’t changed anything yet. Shall I go ahead?',
    asksAgain: 'My plan has changed since you approved it. Shall I go on with this one?',
    begins: (tool: string) => `I’d begin with **${tool}**:`,
    note: 'You can also write what should be different.',
    approve: 'Approve',
    change: 'Change',
    whatElse: 'What should be different in the plan?',
  },
  reminder: (question: string) => `Still waiting for an answer: ${question}`,
  pausedReminder: (title: string) =>
    `“${title}” is still paused. Say “continue” to go on, or “stop” to end it.`,

  succeeded: (title: string, summary: string) => `${title}: done.\n\n${summary}`,
  failed: (title: string, error: string) => `${title}: not done.\n\n${error}`,
  /** The same if the plan already names the task. */
  failedBecause: (error: string) => `That didn’t work. ${error}`,
  /** C501: the same if the goal was not reached. */
  givenUp: (title: string, text: string) => `${title}: I gave up on this.\n\n${text}`,
  runCanceled: (title: string) => `The request was “${title}”.`,
  /** R106: title in the record; people read `shownTitle`. */
  titleSucceeded: (title: string) => `Task completed: ${title}`,
  made: (name: string, size: string) => `I made **${name}** (${size}).`,
  titleFailed: (title: string) => `Task failed: ${title}`,
  titleGivenUp: (title: string) => `Task given up: ${title}`,
  titleCanceled: (title: string) => `Task canceled: ${title}`,
  titleQuestion: (title: string) => `Question: ${title}`,
  /** R62: digest of a task that ends without a report. */
  digest: (done: readonly string[], calls: number, failed: number) => {
    const items = `Done: ${done.join('; ')}`
    if (failed === 0) return done.length === 0 ? 'Done. Nothing else to report.' : `${items}.`
    const all = 'everything I tried failed, so please check.'
    if (failed >= calls)
      return done.length === 0
        ? `I got to the end, but ${all}`
        : `I marked these as done: ${done.join('; ')}. But ${all}`
    return `${done.length === 0 ? 'I’ve finished' : items}. But ${failed} of the ${calls} things I tried failed, so please check.`
  },
  /** Several results in one report (C123). */
  gather: {
    succeeded: (title: string, result: string) => `**${title}**\n${result}`,
    failed: (title: string, error: string | null) =>
      `**${title}**: not done. ${error ?? 'I don’t know why.'}`,
    other: {
      canceled: (title: string) => `**${title}**: stopped.`,
      open: (title: string) => `**${title}**: not finished in time.`,
    },
    missing: (count: number, size: number) => `${count} of ${size} results didn’t arrive in time.`,
  },
  skipped: (items: readonly string[]) => `Left out: ${items.join('; ')}.`,
  slept: (words: string) => `I’ve waited ${words}.`,
  duration(seconds: number) {
    if (seconds === 1) return '1 second'
    if (seconds < 120) return `${seconds} seconds`
    if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
    return `${Math.round(seconds / 3600)} hours`
  },

  paused: 'Paused',
  doneSoFar: 'Done so far',
  nothingDone: 'nothing yet',
  whyStopped: 'Why I stopped',
  nextStep: 'What next',
  resumeHint:
    'Write `continue` to go on from here; add what should change, as in “continue, but in Porto”.',
  usedUp: (why: string, again: string) =>
    `${why} I can answer again from ${again}; commands like \`/todo\` still work.`,
  unlooked: (names: readonly string[]) =>
    `I didn’t look at ${names.join(', ')} because we’re close to the usage limit.`,
  /** After `allowances`. */
  usageWarning: (used: string, again: string) =>
    `${used} At 100% I’ll pause until ${again}; an admin can raise the limit.`,
  allowances: {
    person_day: (percent: number) => `You’ve used ${percent}% of your daily limit.`,
    channel_day: (percent: number) => `This channel has used ${percent}% of its daily limit.`,
    team_day: (percent: number) => `The team has used ${percent}% of its daily limit.`,
    person_month: (percent: number) => `You’ve used ${percent}% of your monthly limit.`,
    channel_month: (percent: number) => `This channel has used ${percent}% of its monthly limit.`,
    team_month: (percent: number) => `The team has used ${percent}% of its monthly limit.`,
  },
  periodAgain: (again: string) => `I can continue from ${again}; an admin can raise the limit.`,
  retryHint: 'Press Retry or ask again to start over; what I’ve done is listed above.',
  reasons: {
    steps: (_: string, count: number) =>
      `I hit my limit of ${count} ${count === 1 ? 'step' : 'steps'} before finishing.`,
    rounds: 'I’ve gone over this as often as I’m allowed, and it isn’t finished.',
    /** F23 has the words behind the sentence. */
    iterations: (_: string, _steps: number, iterations: number) =>
      `I tried ${iterations} times and couldn’t finish. (Reached ${iterations} iterations without completion.)`,
    model_calls: 'I’ve reached the limit for model use on one request.',
    tool_calls: 'I’ve reached the limit for tool use on one request.',
    tokens: 'I’ve reached the limit on how much text I may process for one request (tokens).',
    cost: 'I’ve reached the cost limit for one request.',
    time: 'I’ve reached the time limit for one request.',
    person_day: (name: string) => `${name}’s daily limit is used up.`,
    team_day: 'The team’s daily limit is used up.',
    channel_day: 'This channel’s daily limit is used up.',
    person_month: (name: string) => `${name}’s monthly limit is used up.`,
    team_month: 'The team’s monthly limit is used up.',
    channel_month: 'This channel’s monthly limit is used up.',
    /** Reasons of tasks that paused before failures had kinds; others use `modelFailed`. */
    model_unavailable: 'I tried several times and couldn’t reach the language model.',
    model_unusable: 'I tried several times and didn’t get a usable answer from the model.',
    no_desk: 'I can’t reach the coding agent right now. An admin can check.',
    unanswered: 'Nobody answered my question in time.',
  },
  gaveUp: {
    no_plan: 'I tried three times and couldn’t make a plan for this. Reword it, or press Retry.',
    not_configured:
      'I’m not connected to a language model yet. An admin can connect one on the “Set up” page, or with `OPENAI_API_KEY`.',
    /** F26 has the words behind the sentence. */
    attempts:
      'I was interrupted three times at the same step, so I stopped. Press Retry to start again. (Exceeded max attempts (3).)',
  },
  /** R88: progress of a tracked plan. */
  standing: {
    goal: (goal: string) => `Goal: ${goal}`,
    steps: (done: number, total: number) => `Steps done: ${done}/${total}`,
    current: (step: string) => `Now: ${step}`,
    iterations: (count: number) => `Rounds so far: ${count}`,
  },
  remaining: (items: readonly string[]) => `Still open: ${items.join('; ')}.`,

  /** What runs take, as they did before (C735 to C737). */
  forecast: {
    about: ({ low, about, high }: { low: number; about: number; high: number }) =>
      `about ${modelCalls(about)} (${low}–${high})`,
    past: (count: number, took: Amounts) => `the last ${count}: ${figures(took)}`,
    outsized: (count: number, now: Amounts, largest: Amounts) =>
      `This has taken ${figures(now)}, about twice as much as the largest of the last ${count} times (${figures(largest)}). Shall I go on?`,
    outsizedChoices: ['Go on', 'Stop here'],
  },
  progress: {
    planned: (count: number) => `Plan ready: ${count} ${count === 1 ? 'step' : 'steps'}`,
    replanned: (count: number) => `Plan updated: ${count} ${count === 1 ? 'step' : 'steps'}`,
    current: (index: number, total: number, item: string) => `Step ${index} of ${total}: ${item}`,
    /** Line of progress by step; empty for steps that a colleague would not mention. */
    thought: { act: '', step_done: '', ask: '', goes_on: '', task_done: 'Writing the report' },
    action: (tool: string, input: string) => `Using ${tool}: ${input}`,
    result: (ok: boolean): string => (ok ? '' : 'That didn’t work'),
    counts: (done: number, total: number) => `${done} of ${total} done`,
    because: (name: string, _text: string, added: number, dropped: number) =>
      `${name} changed the request: ${stepsChanged(added, dropped)}`,
    changed: (added: number, dropped: number) => `Plan changed: ${stepsChanged(added, dropped)}`,
    changedBy: (name: string, added: number, dropped: number) =>
      added === 0 && dropped === 0
        ? `${name} reordered the plan`
        : `${name} changed the plan: ${stepsChanged(added, dropped)}`,
  },
}

/** Texts about a coding agent's mission. */
export const coding = {
  verdict: {
    next: (step: number, total: number, title: string, evidence: string) =>
      `✔ Step ${step} of ${total}, “${title}”: done. ${evidence}`,
    retry: (step: number, total: number, title: string, evidence: string) =>
      `↻ Step ${step} of ${total}, “${title}”: not there yet. ${evidence}`,
    replan: (step: number, total: number, title: string, evidence: string) =>
      `⇄ Step ${step} of ${total}, “${title}”: the plan has to change. ${evidence}`,
    abort: (step: number, total: number, title: string, evidence: string) =>
      `✖ Step ${step} of ${total}, “${title}”: I’ll stop here. ${evidence}`,
  },
  stuck: (step: string, why: string | null) =>
    `“${step}” failed and I can’t get any further${why === null ? '' : ` (${why})`}. Should I skip it, stop, or do something else?`,
  permission: 'The coding agent asks if it may do this:',
  stuckChoices: ['Skip this step', 'Stop here'],
  /** Answers that skip or stop; any other words say what to do instead (F32). */
  stuckWords: { skip: ['skip', 'skip it'], stop: ['abort', 'give up'] },
}
