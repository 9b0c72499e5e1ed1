import { calendar, setup } from './places.ts'
import { zoneName } from './zone.ts'
/**
 * Texts of the web page and its API. The browser loads this file as one module, so it imports
 * nothing and is over 300 lines. Other files take words from here.
 */
export const page = {
  language: 'en',
  languageName: 'English',
  you: 'You',
  youWithin: 'you',
  /** Name under which others see a person who gave none. */
  unnamed: 'Somebody on this page',
  /** Another person without a name. */
  somebody: 'No name given',
  somebodyWithin: 'someone who gave no name',
  /** Of whom a question was asked, without a name. */
  asker: 'the person who asked (no name given)',
  colon: ': ',
  needsScript: 'This page needs JavaScript.',
  skip: 'Skip to the conversation',

  promise: 'An agent for your team that never loses the thread.',
  explanation:
    'Give it something to do. It plans in the open, asks when something is unclear, uses what you add while it works, and continues after any interruption.',
  tryThis: 'Three things to try',
  examples: [
    {
      title: 'A plan from a few words',
      text: 'Plan a one-week onboarding for our new designer and list what to prepare',
    },
    { title: 'Work on a schedule', text: 'Every weekday at nine, post what is due today' },
    { title: 'A to-do list', text: 'Add “Send the invitations” to my to-dos' },
  ],
  rehearsal: {
    badge: 'Demo',
    example: {
      title: 'A decision to prepare',
      text: 'Compare the three venues and book a date for the offsite',
    },
    text: 'No model is connected. Clew can only show a few prepared examples, with the real tools; anything else needs a model.',
    local: (server: string) =>
      `${server} runs on this machine. To use its model, write these two lines into the file .env and start Clew again:`,
    how: 'To connect a model, set OPENAI_API_KEY (or OPENAI_BASE_URL for a local one) and start Clew again.',
  },

  /** A typed time that leaves open the half of the day, and the other one. */
  meant: (time: string, other: string, isLate: boolean) =>
    `That is ${time}. For ${other}, add “${isLate ? 'am' : 'pm'}”.`,

  undo: 'Undo',
  needs: {
    fromThere: 'Retry from the failed step',
    title: 'Needs you',
    kinds: {
      question: 'Question',
      approval: 'Approval',
      proposal: 'To remember',
      paused: 'Paused',
      failed: 'Failed',
      unreadable: 'Not readable here',
    },
    none: 'Nothing is waiting for you.',
    keys: 'j and k move · 1, 2, 3 press its buttons · r answers in words · o opens the thread · x selects · s hides it for an hour, d for a day · Esc leaves an answer',
    all: (count: number) => `All ${count}`,
    choose: (title: string) => `Select: ${title}`,
    together: (count: number) => `${count} selected`,
    several: (count: number) => `${count} entries`,
    hidden: {
      hour: (what: string) => `Hidden for an hour: ${what}`,
      day: (what: string) => `Hidden for a day: ${what}`,
    },
    hide: { hour: 'Hide for an hour', day: 'Hide for a day' },
    later: (count: number) => `Hidden on this device for now: ${count}`,
    until: (time: string) => `until ${time}`,
    showNow: 'Show now',
    late: 'waiting for a long time',
    seen: 'Seen',
    goOn: 'Go on without an answer',
    /** Words that the task gets as the answer. */
    goOnWords: 'I leave this open. Go on as you think best.',
    more: (count: number) => `Show all ${count}`,
    here: 'This page',
    open: 'Open it there',
    unreadable:
      'This version of Clew cannot read this entry: a newer version wrote it, or it is damaged.',
    openThread: 'Open the thread',
    /** Note in a thread of another platform. */
    elsewhere: 'This thread continues on another platform. You can answer here.',
  },
  fromPage: (name: string) => `${name} (on Clew’s page)`,

  threads: 'Threads',
  groups: { working: 'In progress', done: 'Ended' },
  olderThreads: 'Show older threads',
  search: {
    label: 'Find in all threads',
    hint: 'Narrow it with from:ana · in:slack · is:working (needs-you, done, pinned, archived) · after:2026-03-01 · before:2026-04',
    none: (query: string) => `Nothing was found for “${query}”.`,
    /** Result for the singular of words that found nothing. */
    instead: (query: string, singular: string, count: string) =>
      `Nothing for “${query}”. For “${singular}”: ${count}`,
    noneArchived: 'No archived threads.',
    noneHint: 'Try fewer words, or only the beginning of one.',
    count(count: number, hasMore: boolean) {
      if (hasMore) return `The newest ${count} threads`
      return count === 1 ? '1 thread' : `${count} threads`
    },
    /** Result of a search that stopped before it had looked at all threads. */
    partial: (count: number, looked: number) =>
      `Found ${count} in the newest ${looked.toLocaleString('en')} threads; older ones haven’t been searched. Narrow it with another word, in: or before:.`,
    more: 'Show more',
    clear: 'Back to all threads',
    archived: 'Archived threads',
    badState: (part: string) =>
      `There is no “${part}”. Use is:needs-you, is:working, is:done, is:pinned or is:archived.`,
    badDay: (part: string) =>
      `“${part}” is not a date. Write it as after:2026-03-01, or a month as before:2026-04.`,
  },
  arrange: {
    menu: 'This thread',
    rename: 'Rename',
    name: 'Name of this thread',
    pin: 'Pin',
    unpin: 'Unpin',
    archive: 'Archive',
    unarchive: 'Unarchive',
    didArchive: (title: string) => `Archived: ${title}`,
    didUnarchive: (title: string) => `Back in the list: ${title}`,
    isArchived: 'This thread is archived. It comes back to the list when something happens in it.',
    archiveHint: 'It leaves the list until something happens in it; search still finds it.',
    delete: 'Delete…',
    deleteTitle: 'Delete this thread?',
    notYours: (names: string) => `This is not your thread: ${names} wrote it.`,
    alsoOf: (names: string) => `It goes for ${names} too, who wrote here.`,
    archiveInstead: 'Only tidying up? Archive it, and you still find it later.',
    sure: 'I know that it cannot be brought back',
    deletes: (title: string) => `This is deleted for good, together with “${title}”:`,
    contents: {
      messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
      runs: (count: number) =>
        count === 1 ? '1 task with its plan' : `${count} tasks with their plans`,
      files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
      facts: (count: number) =>
        count === 1 ? '1 thing remembered for it' : `${count} things remembered for it`,
    },
    stays: 'To-dos and schedules that were made here stay.',
    staysThere: 'What was posted in Slack or Discord stays there.',
    deleteNow: 'Delete for good',
    pinned: 'pinned',
    archived: 'archived',
    link: 'Link to this message',
  },
  newThread: 'New thread',
  noThreads: 'No threads yet. Write something to start the first one.',
  untitled: 'New thread',
  unread: 'unread',
  back: 'Back to the threads',
  earlier: 'Show earlier messages',
  loading: 'Loading…',
  missingThread: 'This thread isn’t here',
  missingHint:
    'It was deleted, or the address is incomplete. What Clew posted on a platform is still there.',
  emptyThread: 'There are no messages here yet.',
  clew: 'Clew',
  writing: 'Clew is writing',
  files: 'Files:',
  messages: 'Messages',

  statuses: {
    queued: 'waiting to start',
    running: 'working',
    awaiting_clarification: 'waiting for an answer',
    paused: 'paused',
    succeeded: 'done',
    failed: 'failed',
    canceled: 'stopped',
    given_up: 'given up',
  },

  plan: {
    label: (title: string) => `Plan: ${title}`,
    progress: (done: number, total: number) => `${done} of ${total} done`,
    /** State of a task that ended with steps left. */
    ended: (done: number, total: number) => `ended, ${done} of ${total} done`,
    forecast: ({ low, about, high }: { low: number; about: number; high: number }) =>
      `Going by earlier tasks here, it asks the model about ${about} times (${low}–${high}).`,
    step: (index: number, total: number) => `Step ${index} of ${total}`,
    done: 'done',
    current: 'in progress',
    open: 'open',
    skipped: 'not done',
    added: 'new',
    thinking: 'Thinking about the next step',
    noWorker: 'Waiting to start',
    noAnswerYet: 'No answer from the model yet',
    thinkingNow: 'Thinking',
    planning: 'Making a plan',
    queued: 'Starts in a moment',
    acting: (tool: string) =>
      ({
        todo: 'Working on the to-dos',
        schedule: 'Working on the schedules',
        memory: 'Looking at what is remembered',
        internet_search: 'Searching the web',
        fetch_web: 'Reading a web page',
        repo_search: 'Searching the folders',
        team_search: 'Searching earlier threads',
        files: 'Working on files',
        read_thread: 'Reading a thread',
        channel_history: 'Reading the channel',
        find_people: 'Looking for people',
        read_skill: 'Reading a skill',
        recall: 'Reading earlier results',
      })[tool] ?? `Using ${tool}`,
    failed: 'The last attempt did not work; trying again',
    waiting: 'Waiting for your answer',
    paused: 'Paused. Nothing is lost; press “Continue” to go on from here.',
    show: 'Show the plan',
    hide: 'Hide the plan',
    from: (step: number, who: string, isDone: boolean) =>
      `${isDone ? 'restarted' : 'continued'} at step ${step} by ${who}`,
    beginAgain: (step: number, isDone: boolean) =>
      `${isDone ? 'Restart' : 'Continue'} at step ${step}`,
    sureAgain: (step: number, isDone: boolean) =>
      isDone ? `Start again from step ${step}?` : `Continue from step ${step}?`,
    retryOf: 'a retry',
    because: (who: string, answer: string) => ` because ${who} said “${answer}”`,
    by: (who: string) => ` by ${who}`,
    becauseChosen: (who: string, answer: string) => ` because ${who} chose ${answer}`,
    changed: 'The plan changed',
    change: (added: number, dropped: number) => {
      const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
      const count = (n: number): string => words[n] ?? String(n)
      const parts = [
        added > 0 ? `${count(added)} new step${added === 1 ? '' : 's'}` : '',
        dropped > 0 ? `${count(dropped)} dropped` : '',
      ].filter((part) => part !== '')
      return parts.length > 0 ? parts.join(', ') : 'the steps stay the same'
    },
    droppedLabel: 'dropped',
  },

  planEditor: {
    open: 'Change the steps',
    hint: 'Steps that have begun stay as they are.',
    moved: 'The plan has just changed. These are the remaining steps.',
    ended: 'The task has ended meanwhile, so these steps were not taken. Copy what you still need.',
    step: (place: number) => `Step ${place}, not started`,
    up: (place: number) => `Move step ${place} up`,
    down: (place: number) => `Move step ${place} down`,
    skip: (place: number) => `Leave out step ${place}`,
    add: 'Add a step',
  },

  actions: {
    stop: 'Stop',
    stopOthers: 'This task is not yours. Stop it?',
    yes: 'Yes',
    no: 'No',
    stopWord: 'stop',
    stopping: 'Stopping…',
    continue: 'Continue',
    retry: 'Retry',
    send: 'Send',
    discard: 'Discard',
    edit: 'Edit',
    cancel: 'Cancel',
    save: 'Save',
    close: 'Close',
    settings: 'Settings',
  },

  question: {
    label: 'Question',
    choices: 'Choices',
    placeholder: 'Or in your own words…',
    inWords: 'Answer in your own words…',
    /** Confirms an answer; `about` is the thread's name, empty in the thread itself. */
    given: (answer: string, about: string) =>
      about === '' ? `Answered: ${answer}` : `Answered: ${answer} · ${about}`,
    anyone: 'Anyone in this thread can answer. Clew waits until then.',
    approvers: (name: string | null) =>
      `Only ${name === null ? 'an admin' : `${name} or an admin`} can answer this. Clew waits until then.`,
    askerOnly: (name: string | null) =>
      `Only ${name ?? 'the person who asked'} can answer this. Clew waits until then.`,
    waitsFor: (name: string) => `Waits for ${name}’s answer`,
    waitsForAsker: 'Waits for an answer from the person who asked (no name given)',
    admin: 'an admin',
    chose: 'chose',
    said: 'answered',
    notSent: (text: string) => `You had typed, and not sent: ${text}`,
    sending: 'Sending your answer…',
    editFirst: 'Edit, then approve',
    call: 'What Clew would do',
    approveEdited: 'Approve as edited',
  },

  opinion: {
    label: 'What you think of this report',
    helpful: 'Helpful',
    unhelpful: 'Not helpful',
    why: 'What was wrong with it?',
    reasons: {
      wrong: 'It is wrong',
      incomplete: 'Something is missing',
      unasked: 'Not what I asked for',
    },
    own: 'In your own words',
    noted: 'Noted',
    seen: 'Only you and whoever runs Clew see your rating and its reason.',
    test: {
      keep: 'Keep as a test',
      right: 'What would have been right?',
      example:
        'Keeps this task for whoever runs Clew, to try it again after a change and see whether it comes out right. Write, for example: it names the budget, and does not suggest Porto.',
    },
    votes: 'What people think of reports',
    noVotes: 'Nobody has rated a report yet.',
  },

  receipts: {
    sending: 'Sending…',
    retrying: 'Not sent yet; trying again',
    rejected: 'Not sent',
    waiting: 'Waiting for its turn',
    answered: 'Answered',
    answer: 'Taken as the answer',
    joined: 'Added to the running task',
    started: 'Task started',
    command: 'Done',
    notDone: 'Not done; Clew told you why',
    thanked: 'You’re welcome',
    failed: 'Failed',
    ignored: {
      for_someone_else: 'Ignored: it is addressed to someone else',
      already_answered: 'Ignored: the question was already answered',
      not_allowed: 'Not taken as an answer; Clew told you why, and only you',
    },
  },

  history: {
    again: (step: number, who: string) => `${who} restarted it at step ${step}, as a new task`,
    show: 'What happened',
    hide: 'Hide what happened',
    none: 'Nothing yet.',
    steps: (count: number) => (count === 1 ? 'One entry' : `${count} entries`),
    tokens: (count: number) => `${count} tokens`,
    thinking: 'Asked the model',
    used: (tools: readonly string[]) => `Used ${tools.join(', ')}`,
    what: {
      planned: 'Made the plan',
      replanned: 'Looked at the plan',
      act: 'Chose what to do',
      step_done: 'Finished a step',
      ask: 'Asked a question',
      round: 'Looked over the results so far',
      next: 'Checked the report: done',
      retry: 'Checked the report: try again',
      replan: 'Checked the report: the plan changes',
      abort: 'Checked the report: stop here',
      task_done: 'Saw that everything is done',
    },
    endedEarly: 'Ended it, with steps left',
    item: (text: string) => `Step of the plan: ${text}`,
    cause: {
      request: (who: string | null) =>
        who === null ? 'Asked for by a schedule or a program' : `Asked for by ${who}`,
      answer: (who: string | null) => (who === null ? 'After an answer' : `After ${who}’s answer`),
      joined: (who: string | null) =>
        who === null ? 'After something was added' : `After ${who} added something`,
      continue: (who: string | null) =>
        who === null ? 'After “continue”' : `After ${who} wrote “continue”`,
      plan_edit: (who: string | null) =>
        who === null ? 'After the plan was changed' : `After ${who} changed the plan`,
    },
    model: (name: string) => `Model: ${name}`,
    wants: (tools: readonly string[]) => `Wants to use ${tools.join(', ')}`,
    tried: (count: number, why: string) =>
      count === 1 ? `The model failed once: ${why}.` : `The model failed ${count} times: ${why}.`,
    triedToEnd: (count: number, why: string) =>
      count === 1
        ? `Asked the model once, without success: ${why}.`
        : `Asked the model ${count} times, without success: ${why}.`,
    failures: {
      key_refused: 'it refused Clew’s key',
      no_credit: 'its account has no credit left',
      unknown_model: 'the model that is set does not exist',
      wrong_address: 'nothing answers at its address as a model does',
      rate_limited: 'it had too many requests at that moment',
      overloaded: 'it answered with an error of its own (overloaded or out of order)',
      unreachable: 'it could not be reached',
      timed_out: 'it did not answer in time',
      context_too_long: 'the request was too long for it',
      filtered: 'its filter refused the request',
      reply_unusable: 'what it wrote could not be used',
      unknown: 'it gave no answer',
    },
    wait: {
      answer: (time: string | null) =>
        time === null ? 'Waiting for an answer' : `Waited ${time} for an answer`,
      approval: (time: string | null) =>
        time === null ? 'Waiting for approval' : `Waited ${time} for approval`,
      continue: (time: string | null) => (time === null ? 'Paused' : `Paused for ${time}`),
      model: (time: string | null) =>
        time === null ? 'Waiting for the model' : `Waited ${time} for the model`,
    },
    reasons: {
      steps: 'it reached its step limit',
      rounds: 'it reached its limit on rounds',
      iterations: 'it ran out of tries',
      model_calls: 'it reached its limit for model use',
      tool_calls: 'it reached its limit for tool use',
      tokens: 'it reached its token limit',
      cost: 'it reached its cost limit',
      time: 'its time was up',
      allowance: 'the limit for the day or month is used up',
      model_unavailable: 'the model was not answering',
      model_unusable: 'the model gave no usable answer',
      unanswered: 'nobody answered in time',
      no_desk: 'Clew cannot reach the coding agent',
    },
    said: (count: number) =>
      count === 1 ? 'Wrote one message in the thread' : `Wrote ${count} messages in the thread`,
    input: 'Input',
    result: 'Result',
    outcome: {
      worked: 'worked',
      failed: 'did not work',
      open: 'still running',
      unknown: 'outcome unknown',
    },
    approval: (who: string | null, granted: boolean, edited: boolean) =>
      `${granted ? (edited ? 'changed and approved' : 'approved') : 'refused'}${who === null ? '' : ` by ${who}`}`,
    plan: {
      title: 'How the plan changed',
      first: 'The first plan',
      own: 'After the result of a step',
      by: (who: string) => `Changed by ${who}`,
      because: (who: string, text: string) => `Because ${who} said “${text}”`,
    },
  },

  own: {
    edit: 'Change your message',
    withdraw: 'Withdraw your message',
    withdrawn: 'Message withdrawn. Anything it started keeps running until someone stops it.',
    edited: 'edited',
    editedLate: 'edited after the task had ended, so the task did not take it up',
    gone: 'withdrawn',
  },
  copy: { message: 'Copy the message', code: 'Copy', done: 'Copied' },

  composer: {
    label: 'Your message',
    first: 'What should Clew do?',
    reply: 'Write a message…',
    working: 'Add something…',
    asked: 'Answer here, or above…',
    paused: 'Say what should change…',
    attach: 'Attach files',
    attached: 'Attached files',
    detach: (name: string) => `Remove ${name}`,
    tooManyFiles: (most: number) => `One message can have at most ${most} files.`,
    hint: 'Enter sends, Shift + Enter starts a new line',
    tooLong: (limit: number, over: number) =>
      `Too long by ${over}: the limit is ${limit.toLocaleString('en')} characters.`,
  },

  palette: {
    title: 'Go to',
    placeholder: 'A thread, a page, or something to do here',
    recent: 'Recent',
    others: 'Everything else',
  },

  /** List of keys; each place has its keys, each with what it does. */
  keys: {
    title: 'Keyboard',
    palette: 'go to a thread or a page, or do something',
    undo: 'take back the last act that still shows Undo',
    places: [
      {
        name: 'Anywhere, outside text fields',
        keys: [
          ['n', 'new thread'],
          ['/', 'find in all threads'],
          ['?', 'this list'],
        ],
      },
      {
        name: 'Needs you',
        keys: [
          ['j k', 'next, previous entry'],
          ['1 … 9', 'press a button of the entry'],
          ['r', 'answer in your own words; Enter sends, Esc goes back'],
          ['o', 'open the thread'],
          ['x', 'select, to act on several'],
          ['s d', 'hide for an hour, for a day'],
        ],
      },
      {
        name: 'Writing',
        keys: [
          ['Enter', 'send'],
          ['Shift Enter', 'new line'],
        ],
      },
    ] as { name: string; keys: [string, string][] }[],
  },

  /** Labels of the completions. */
  completion: {
    commands: 'Commands',
    people: 'People in this thread',
    count: (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
  },

  banner: {
    offline: 'No connection to Clew. Your text stays here and is sent when the connection is back.',
    store:
      'Clew cannot reach its database right now. Nothing is lost; it continues on its own once the database is back.',
  },

  /** Sentence by `FailureKind`; `unreachable` stands for the others. */
  modelAway: {
    key_refused: 'The model does not accept Clew’s key.',
    no_credit: 'The account for the model has no credit left.',
    unknown_model: 'The model that Clew is set to use does not exist.',
    wrong_address: 'The address of the model is wrong.',
    unreachable:
      'Clew cannot reach its model right now. Write anyway: it tries again and tells you how that went.',
  } as Readonly<Record<string, string>>,

  announce: {
    message: (text: string) => `Clew: ${text}`,
    question: (text: string) => `Clew asks: ${text}`,
  },
  onlyYou: 'Only you see this',

  settings: {
    title: 'Settings',
    name: 'Your name',
    nameHint: 'Shown next to what you write and choose.',
    language: 'Language',
    theme: {
      title: 'Theme',
      names: { system: 'As this device', light: 'Light', dark: 'Dark' },
    },
    notifications: {
      title: 'Notifications',
      on: 'Turn on',
      off: 'Turn off',
      hints: {
        on: 'On: while this tab is in the background, your browser tells you when something new needs you.',
        off: 'While this tab is in the background, your browser can tell you when something new needs you.',
        blocked:
          'Your browser blocks notifications from this page. Allow them in its settings for this site, then turn them on here.',
        missing:
          'This browser cannot show notifications from this page. They need a browser on a computer, and an https address unless Clew runs on that computer.',
      },
    },
  },

  calendar,
  setup,

  schedules: {
    title: 'Schedules',
    none: 'Nothing is scheduled yet. Say when and what, above or in any thread.',
    when: 'When',
    whenExample: 'every weekday at nine',
    what: 'What to do',
    whatExample: 'post what is due today',
    add: 'Schedule it',
    hint: 'In words or as a time: tomorrow 9am · every 2 hours. Cron works too: 0 9 * * 1-5',
    understood: (rule: string, next: string) =>
      next === '' ? `Scheduled: ${rule}.` : `Scheduled: ${rule}. First: ${next}.`,
    nextAt: (time: string) => `Next ${time}`,
    /** Behind a time in the reader's own zone, where the schedule has another. */
    yours: ' (your time)',
    zone: (zone: string) => `${zoneName(zone)} time`,
    next: 'Next times',
    over: 'No further times are planned.',
    paused: 'paused',
    reminder: (time: string) => `Reminder ${time}`,
    onlyNote: 'posts only this text',
    menu: (title: string) => `More for “${title}”`,
    quiet: 'Posts nothing when there is nothing to report.',
    allowed: (tools: string) => `Can change things with: ${tools}`,
    modes: {
      ask: 'Asks in its thread before it changes anything.',
      auto: 'Can change things without asking.',
    },
    way: (name: string) => `Way of working: ${name}`,
    from: (name: string) => `from ${name}`,
    inThread: 'Posts into its thread',
    pause: 'Pause',
    resume: 'Resume',
    runNow: 'Run now',
    started: 'Started. Its thread opens when it has something to say.',
    dryRun: 'Show what it would do',
    past: 'Past runs',
    hidePast: 'Hide past runs',
    noPast: 'It has not run yet.',
    remove: (title: string) => `Delete “${title}”`,
    removed: (title: string) => `Deleted: ${title}`,
    outcomes: { fired: 'on time', late: 'late', missed: 'missed', skipped: 'skipped' },
    reasons: {
      by_hand: 'started by hand',
      away: 'Clew was away',
      caught_up: 'Clew was away and did a later one instead',
      still_running: 'Clew was still working on the one before',
      still_asking: 'the one before was still waiting for an answer',
      paused: 'paused',
      gone: 'the place it posts into is gone',
      owner_gone: 'its owner has left',
      event: 'at an event',
      too_many: 'more came in a minute than it takes',
      may_answer: 'it may have been an answer to Clew',
    },
  },

  todos: {
    edit: (text: string) => `Change “${text}”`,
    title: 'To-dos',
    none: 'Nothing here.',
    what: 'To-do',
    example: 'Send the invitations',
    dueLabel: 'Due (optional)',
    dueExample: 'tomorrow 18:00',
    remindLabel: 'Reminder (optional)',
    remindExample: 'an hour before',
    ownerLabel: 'For (optional)',
    me: 'me',
    mine: 'yours',
    add: 'Add',
    added: (text: string, due: string | null) =>
      due === null ? `Added for you: ${text}` : `Added for you: ${text}, due ${due}`,
    hint: 'Write times as you would say them: tomorrow 18:00, Friday, end of the month; a reminder also as “an hour before”.',
    views: {
      label: 'Which to-dos',
      all: 'All',
      mine: 'Mine',
      due: 'Due by today',
      upcoming: 'Next 7 days',
      inbox: 'Without a date',
    },
    groups: {
      overdue: 'Overdue',
      today: 'Today',
      tomorrow: 'Tomorrow',
      week: 'Next 7 days',
      later: 'Later',
      someday: 'Without a date',
      done: 'Done',
    },
    finish: (text: string) => `Mark “${text}” as done`,
    removed: (text: string) => `Deleted: ${text}`,
    changed: (text: string) => `Changed: ${text}`,
    owners: 'Whose to-dos',
    everyone: 'Everyone’s',
    remove: (text: string) => `Delete “${text}”`,
    due: (time: string) => `due ${time}`,
    overdue: (time: string) => `overdue since ${time}`,
    reminded: (time: string) => `reminded ${time}`,
    priority: (priority: number) => `priority ${priority}`,
    owner: (name: string) => `for ${name}`,
    reminders: 'Upcoming reminders',
  },

  memory: {
    title: 'Memory',
    none: 'Nothing is remembered yet. Clew suggests facts in its threads, and you can add one here.',
    what: 'What Clew should remember',
    example: 'We meet in Lisbon',
    add: 'Remember',
    hint: 'Clew remembers it for the whole team.',
    added: 'Clew remembers that for the whole team.',
    declined: (text: string) => `Not remembered: ${text}`,
    parts: { pending: 'Suggested', active: 'Remembered', gone: 'Forgotten' },
    scopes: {
      me: 'for you',
      thread: 'for a thread',
      channel: 'for this channel',
      team: 'for the team',
    },
    inThread: (title: string) => `for the thread “${title}”`,
    source: 'where it was said',
    verbs: { accept: 'Remember', reject: 'Don’t remember', forget: 'Forget', restore: 'Undo' },
    press: {
      accept: (text: string) => `Remember “${text}”`,
      reject: (text: string) => `Do not remember “${text}”`,
      forget: (text: string) => `Forget “${text}”`,
      restore: (text: string) => `Remember “${text}” again`,
    },
  },

  signIn: {
    label: 'Access token',
    hint: 'For admins: the value of WEB_TOKEN in .env.',
    with: (platform: string) => `Sign in with ${platform}`,
    out: 'Sign out',
    outEverywhere: 'Sign out everywhere',
    button: 'Sign in',
  },

  /** Refusals of the API that the page says itself, too. */
  errors: {
    file_too_large: 'The file is too large: the limit is 5 MB.',
    unreadable_file: (name: string) =>
      `Clew cannot read “${name}”. It reads text, PDF, Office files, emails, the list of files in a zip, and pictures (PNG, JPEG, GIF, WebP).`,
    platform_away:
      'Clew cannot tell right now which channels you are in, so it shows nothing from there. Try again in a minute.',
    unknown_todo: 'That to-do doesn’t exist or was deleted.',
  },
}
