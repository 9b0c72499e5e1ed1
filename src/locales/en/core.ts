/** Splits a text with `|` into words and phrases. */
const list = (text: string): string[] => text.split('|').map((one) => one.trim())

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
    great, thanks | perfect, thanks | ok, thanks | ok thanks | thank you | thanks | thankyou | thx |
    cheers`),
  /** Words before a first comma that are not a name. */
  openers:
    list(`yes | yeah | yep | no | nope | ok | okay | sure | right | fine | great | perfect | good | sorry |
    also | and | but | so | then | now | well | please | actually | maybe | perhaps | first | finally |
    however | besides | btw | fyi | note | thanks | today | tomorrow | otherwise | instead | meanwhile`),

  /** Phrases that choose a strategy for a task. */
  strategyWords: {
    step: ['step by step', 'one step at a time', 'carefully'],
    batch: ['quick', 'quickly', 'in one go', 'in batches'],
    free: ['freely', 'free hand', 'as you see fit'],
  },

  /** Request of somebody who forwards another person's message. */
  handedOver: 'Look at this message.',

  /** P18: texts about rows that were set aside. They are kept, with the reason, for an operator. */
  aside: {
    outbox:
      'A message could not be shown here. The people who run Clew can look up which one and why.',
    inbox:
      'Something that was said here could not be handled. Please say it again, in other words if possible; the people who run Clew can look up why.',
    alarm: (title: string) =>
      `“${title}” was due and could not be started. Please create it again; the people who run Clew can look up why.`,
    lost: 'Something that I had begun, planned or wanted to remind you of here can no longer be read. Please ask for it again; the people who run Clew can look up which one and why.',
    conversation:
      'My record of this thread was damaged and I have rebuilt it. What was said is kept; if I was working on something, you may need to ask again.',
    run: (title: string) =>
      `“${title}” could not continue and has ended. Please ask for it again; the people who run Clew can look up why.`,
  },

  /**
   * Note about a clock time such as 15:00, with the command that sets the zone, if there is one.
   */
  zoneUnset: (clock: string, zone: string, command: string | null) =>
    `${clock} is the time in ${zone}: your time zone is not set.${command === null ? '' : ` Set it with \`${command}\`.`}`,
  stopped: (by: string, _isOwn: boolean) => `Stopped by ${by}.`,
  stoppedAt: (done: number, total: number) =>
    `${done === 0 ? 'None' : done} of ${total} ${total === 1 ? 'step' : 'steps'} ${done > 1 ? 'were' : 'was'} done.`,
  /** Space between two sentences. */
  between: ' ',
  staysDone: 'This had been done and stays done:',
  calledOff: (by: string) => `Stopped by ${by}; nothing had begun.`,
  stopIt: (title: string) => `Shall I stop “${title}”?`,
  stopTitled: (title: string) => `Stop “${title}”`,
  stopsThere: (title: string) => `Stopping “${title}”. Its thread will say how far I got.`,
  runsElsewhere: (titles: readonly string[]) =>
    `Nothing is running in this thread. Elsewhere in this channel I am working for you on ${titles.map((title) => `“${title}”`).join(', ')}.`,
  endedBefore: 'That had finished before I read this.',
  canceledToo: (titles: readonly string[]) =>
    `So have those after it: ${titles.map((title) => `“${title}”`).join(', ')}.`,
  nothingToCancel: 'Nothing is running here.',
  alreadyEnded: (title: string, status: string) => `“${title}” is already over (${status}).`,
  planMovedOn: (title: string) =>
    `The plan of “${title}” has changed meanwhile, so your change was not made. Look at the remaining steps and try again.`,
  nothingToContinue: 'Nothing is paused here, so there is nothing to continue.',
  notRetryable: (title: string) =>
    `“${title}” is still running, so there is nothing to retry. Stop it first to start over.`,
  runNotFound: 'That no longer exists.',
  feedbackKept: (good: boolean): string => (good ? 'Thanks! 👍' : 'Thanks, noted. 👎'),
  outsider:
    'I work here for the members of this team only, so I leave this to them. Somebody of the team can ask me, or let guests in.',
  notKnown:
    'I could not look up who you are just now, so I did nothing with this. Please try again in a minute.',
  notAllowed:
    'Sorry, you are not on the list of people who may use Clew here. An admin can add you.',
  tooFast:
    'That was more messages than I take in a minute, so I have left some out. Please wait a little, then send what is missing again.',
  ownerOnly: (name: string) => `Only ${name} can answer this question.`,
  adminOnly: 'Only an admin can answer this question.',
  alreadyAnswered: (name: string, answer: string) =>
    `Thanks. ${name} has already answered this: “${answer}”.`,
  questionGone: 'Thanks. This question is no longer open.',
  requestDeleted: 'The message that asked for this was deleted, so I have stopped.',
  deletedTitle: 'Deleted request',
  /** Message to a task that a joined message was deleted. */
  takenBack: '(I have deleted what I wrote about this; leave it out.)',
  editTaken: 'I had not started yet, so I use your edited message.',
  editSeen: 'I saw your edit and take it into account from here on.',
  editedTo: (text: string) => `(changed my earlier message to:) ${text}`,
  emptyMention: 'Hello! Tell me what you need, or write `help` to see what I can do.',

  decisionFailed: (why: string) => `Sorry, I could not answer that. ${why}`,
  /** C92: notice that the model does not answer. */
  modelAway:
    'The model is not answering at the moment; I will answer as soon as it does. Write `stop` if you no longer need this.',
  againGone: 'That message has already been retried, or is too old to retry. Please send it again.',
  /** Note under an offer that was taken, also for anyone who presses it later. */
  triedAgain: (name: string) => `↻ ${name} asked to try it again.`,
  offerTaken: (name: string) => `${name} has already decided.`,
  taskAway: (title: string, why: string) =>
    `${why} “${title}” continues by itself as soon as the model answers again. Write \`stop\` to end it.`,
  /** Reason why the model did not answer, and who can do what (C91). */
  modelFailed: {
    key_refused: () =>
      'The language model does not accept the key that Clew has. The people who run Clew can set a valid one.',
    no_credit: () =>
      'The account for the language model has no credit left. The people who run Clew can top it up or raise its limit.',
    unknown_model: () =>
      'The language model that Clew is set to use does not exist. The people who run Clew can choose another one.',
    wrong_address: () =>
      'No language model answers at the address that Clew is set to use; something else is served there. The people who run Clew can correct it.',
    rate_limited: (until: string | null) =>
      `The language model takes no more requests ${until === null ? 'right now' : `until ${until}`}. This passes by itself; the people who run Clew can raise the limit.`,
    overloaded: () =>
      'The language model is overloaded or out of order. This usually passes by itself.',
    unreachable: () =>
      'The language model could not be reached. If this lasts, the people who run Clew can look into it.',
    timed_out: () =>
      'The language model did not answer in time. A shorter request may help; the people who run Clew can let it take longer.',
    context_too_long: () =>
      'There is more to read here than the language model can take in at once. Ask with less text or fewer files, or in a new thread.',
    filtered: () =>
      'The provider of the language model refused this because of its rules about content. Other words may help.',
    reply_unusable: () =>
      'The model gave me nothing that I can use. Try again, or say it in other words.',
  },
  notConfigured:
    'No language model is connected, so I cannot answer that yet. Commands such as `/todo` work. To connect a model, set `OPENAI_API_KEY` (or `OPENAI_BASE_URL` for a local one) and start Clew again.',
  typeNotAllowed: (type: string) => `Sorry, work of the kind “${type}” is not allowed here.`,
  unknownRunType: (type: string) =>
    `This version of Clew does not know work of the kind “${type}”. Start the version that began it, or ask again in other words.`,
  unknownStrategy: (name: string) =>
    `There is no way of working called “${name}” here. Start a Clew that has it, or ask again in other words.`,
  runBroke: (type: string, why: string) =>
    `“${type}” failed: ${why}. It may have taken effect before that; check before you ask for it again.`,
  commandBroke: (name: string, why: string) => `\`${name}\` did not work: ${why}`,
  createFailed: (problem: string) => `Sorry, I could not start that: ${problem}.`,
  startedOver: 'Trying again.',
  startedOverAlready: (title: string) => `“${title}” is already being retried.`,
  /** C251: texts about restarting a task at a step. */
  again: {
    begun: (name: string, title: string, step: number, text: string) =>
      `${name} restarted “${title}” at step ${step}: ${text}`,
    notNow: (title: string) =>
      `“${title}” can be restarted when it is paused or has ended, if it had a plan. Stop it first.`,
    noPlan: (title: string) =>
      `“${title}” has no plan, so it cannot be restarted at a step. Retry does all of it again.`,
    notBegun: (last: number) =>
      last === 1
        ? 'It can restart only at step 1; the others had not begun.'
        : `It can restart at one of the steps 1 to ${last}; the others had not begun.`,
    repeats: (title: string, step: number, text: string) =>
      `If “${title}” restarts at step ${step} (${text}), this was done before and may be done a second time:`,
    call: (tool: string, input: string) => `- **${tool}** ${input}`,
    more: (count: number) => `- and ${count} more`,
    honest: 'What was done stays done. From that step on everything is done again.',
    button: 'Restart anyway',
  },

  /**
   * First line of a thread that Clew opens: who asked, in which words, and whether an answer is
   * needed.
   */
  opening: {
    asked: (name: string, words: string) =>
      `**${name}** asked: ${words}\n\nIf I need an answer, I ask for it below.`,
    question: (name: string | null, title: string) =>
      `**${title}**${name === null ? '' : `, scheduled by ${name}`}. I need an answer to go on:`,
    /** Line below the report. */
    report: (name: string | null, title: string) =>
      `*${title}${name === null ? '' : ` · scheduled by ${name}`}*`,
  },

  followUp: {
    next: (title: string) => `Next, as agreed: ${title}`,
    closed: 'Nothing more was agreed, so this is done.',
  },

  /** C332: question for a typed number that may be one of these choices, or itself. */
  whichChoice: (text: string, [first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? `Do you mean “${first}”, or “${text}” itself? Press one, or write a few more words.`
      : `Do you mean ${[first, ...others].map((one) => `“${one}”`).join(' or ')}? Press one, or write it out.`,
  /** C331: note that a message went to the task, and did not answer the question. */
  stillOpen: 'I pass that on. My question is still open.',
  /** C335: note that a message could not be judged while a question is open. */
  notJudged: (name: string) =>
    `${name}, I cannot tell whether that was for me: the model does not answer. Mention me, and it counts.`,
  questionPrefix: '',
  stuckQuestion: (item: string) => `I keep getting stuck on “${item}”. How should I go on?`,
  stuckChoices: ['Skip this step', 'Try it another way'],
  unknownOutcome: (tool: string, begun: string | null) =>
    `I was interrupted while using “${tool}”${begun === null ? '' : `, begun ${begun}`}, and I cannot tell whether it took effect. Please check. Should I go on, or do it again?`,
  unknownOutcomeChoices: ['It worked, go on', 'It did not, do it again'],
  approval: {
    asks: (tool: string) => `May I use **${tool}** for this?`,
    by: (name: string | null, schedule: number | null) => {
      const asked = name ?? 'No person'
      const how = schedule === null ? 'asked for it' : `asked for it by schedule #${schedule}`
      return `${asked} ${how}. It runs with my own access, whoever approves.`
    },
    once: 'A yes also covers using it again for this.',
    notShown: (count: number) => `(${count} more characters; the whole call is attached)`,
    approve: 'Approve',
    refuse: 'Refuse',
  },
  reminder: (question: string) =>
    `A gentle reminder, this is still waiting for an answer: ${question}`,
  pausedReminder: (title: string) =>
    `A gentle reminder: “${title}” is still paused. Say “continue” to go on, or “stop” to end it.`,

  succeeded: (title: string, summary: string) => `${title}: done.\n\n${summary}`,
  failed: (title: string, error: string) => `${title}: not done.\n\n${error}`,
  /** The same if the plan already names the task. */
  failedBecause: (error: string) => `That did not work. ${error}`,
  runCanceled: (title: string) => `It was about “${title}”.`,
  /** R106: title in the record; people read `shownTitle`. */
  titleSucceeded: (title: string) => `Task completed: ${title}`,
  made: (name: string, type: string, bytes: number) =>
    `Made **${name}** (${type}, ${bytes} bytes).`,
  titleFailed: (title: string) => `Task failed: ${title}`,
  titleCanceled: (title: string) => `Task canceled: ${title}`,
  titleQuestion: (title: string) => `Question: ${title}`,
  /** R62: digest of a task that ends without a report. */
  digest: (done: readonly string[], calls: number, failed: number) =>
    [
      done.length === 0
        ? 'It is done, and there is nothing more to tell.'
        : `What was done: ${done.join('; ')}.`,
      ...(failed === 0 ? [] : [`${failed} of ${calls} tries did not work.`]),
    ].join(' '),
  /** Several results in one report (C123). */
  gather: {
    succeeded: (title: string, result: string) => `**${title}**\n${result}`,
    failed: (title: string, error: string | null) =>
      `**${title}**: not done. ${error ?? 'I do not know why.'}`,
    other: {
      canceled: (title: string) => `**${title}**: stopped.`,
      open: (title: string) => `**${title}**: not finished in time.`,
    },
    missing: (count: number, size: number) => `${count} of ${size} did not come in time.`,
  },
  skipped: (items: readonly string[]) => `Left out: ${items.join('; ')}.`,
  slept: (words: string) => `${words} have passed.`,
  duration: (seconds: number) =>
    seconds < 120
      ? `${seconds} seconds`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} minutes`
        : `${Math.round(seconds / 3600)} hours`,

  paused: 'Paused',
  doneSoFar: 'Done so far',
  nothingDone: 'nothing yet',
  whyStopped: 'Why it stopped',
  nextStep: 'What next',
  resumeHint:
    'Write `continue` to go on from here; add what should change, as in “continue, but in Porto”.',
  usedUp: (why: string, again: string) =>
    `${why} I can answer again from ${again}; commands such as \`/todo\` still work.`,
  unlooked: (names: string) =>
    `I have not looked at ${names}: the allowance for that is almost used up.`,
  usageWarning: (percent: number, what: string, again: string) =>
    `${percent} % of ${what} is used. At 100 % I pause until ${again}; an admin can raise the limit.`,
  allowances: {
    person_day: 'what you may use in a day',
    channel_day: 'what this channel may use in a day',
    team_day: 'what everybody together may use in a day',
    person_month: 'what you may use in a month',
    channel_month: 'what this channel may use in a month',
    team_month: 'what everybody together may use in a month',
  },
  periodAgain: (again: string) => `It can continue from ${again}; an admin can raise the limit.`,
  retryHint: 'Press Retry or ask again to start over; what was done is listed above.',
  reasons: {
    steps: (count: number, _iterations: number) =>
      `I took ${count} steps, the most that I may, and not everything is done.`,
    rounds: () => 'I took as many rounds as I may, and not everything is done.',
    iterations: (_: number, iterations: number) =>
      `Reached ${iterations} iterations without completion.`,
    model_calls: () => 'This has used as many model calls as it may.',
    tool_calls: () => 'This has used tools as often as it may.',
    tokens: () => 'This has used as many tokens as it may.',
    cost: () => 'This has cost as much as it may.',
    time: () => 'This has taken as long as it may.',
    person_day: () => 'The daily limit for one person is used up.',
    team_day: () => 'The daily limit for everybody together is used up.',
    channel_day: () => 'The daily limit for this channel is used up.',
    person_month: () => 'The monthly limit for one person is used up.',
    team_month: () => 'The monthly limit for everybody together is used up.',
    channel_month: () => 'The monthly limit for this channel is used up.',
    /** Reasons of tasks that paused before failures had kinds; others use `modelFailed`. */
    model_unavailable: () => 'The language model could not be reached several times in a row.',
    model_unusable: () => 'Several times in a row the model gave me nothing that I can use.',
    no_desk: () =>
      'The folder that is shared with the coding agent cannot be used right now; an admin can look into it.',
    unanswered: () => 'Nobody answered its question in time.',
  },
  gaveUp: {
    no_plan: 'I could not make a plan for this, three times. Say it differently, or press Retry.',
    not_configured:
      'No language model is connected. To connect one, set `OPENAI_API_KEY` (or `OPENAI_BASE_URL` for a local one) and start Clew again.',
    attempts: 'Exceeded max attempts (3): I was interrupted three times at the same step.',
  },
  /** R88: progress of a tracked plan. */
  standing: {
    goal: (goal: string) => `Goal: ${goal}`,
    steps: (done: number, total: number) => `Steps done: ${done}/${total}`,
    current: (step: string) => `Now: ${step}`,
    iterations: (count: number) => `Iterations used: ${count}`,
  },
  remaining: (items: readonly string[]) => `Still open: ${items.join('; ')}.`,

  progress: {
    planned: (count: number) => `Plan ready: ${count} ${count === 1 ? 'step' : 'steps'}`,
    replanned: (count: number) => `Plan updated: ${count} ${count === 1 ? 'step' : 'steps'}`,
    current: (index: number, total: number, item: string) => `Step ${index} of ${total}: ${item}`,
    /** Line of progress by step; empty for steps that a colleague would not mention. */
    thought: { act: '', step_done: '', ask: '', goes_on: '', task_done: 'Writing the report' },
    action: (tool: string, input: string) => `Using ${tool}: ${input}`,
    result: (ok: boolean): string => (ok ? '' : 'That did not work'),
    counts: (done: number, total: number) => `${done} of ${total} done`,
    because: (name: string, _text: string, added: number, dropped: number) =>
      `${name} changed the request: ${[
        ...(added > 0 || dropped === 0 ? [`${added} new ${added === 1 ? 'step' : 'steps'}`] : []),
        ...(dropped > 0 ? [`${dropped} dropped`] : []),
      ].join(', ')}`,
    changed: (added: number, dropped: number) => `Plan changed: ${added} new, ${dropped} dropped`,
    changedBy: (name: string, added: number, dropped: number) =>
      `${name} changed the plan: ${added === 0 && dropped === 0 ? 'another order' : `${added} new, ${dropped} dropped`}`,
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
      `✖ Step ${step} of ${total}, “${title}”: I stop here. ${evidence}`,
  },
  stuck: (step: string, why: string | null) =>
    `“${step}” has failed and I cannot get further by myself${why === null ? '' : ` (${why})`}. Skip it, stop, or tell me what to do instead?`,
  stuckChoices: ['Skip this step', 'Stop here'],
  /** Answers that skip or stop; any other words say what to do instead (F32). */
  stuckWords: { skip: ['skip', 'skip it'], stop: ['abort', 'give up'] },
}
