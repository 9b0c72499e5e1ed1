import { page } from './page.ts'

/** Words of the command table, for `/help`, native forms, tools and usage errors. */
export const commands = {
  /** Description of each, in at most 100 characters: platforms show no more. */
  about: {
    todo: 'To-dos of this channel',
    todoAdd: 'Add a to-do',
    todoList: 'Show the to-dos',
    todoSearch: 'Find to-dos by words',
    todoGet: 'Show one to-do',
    todoDone: 'Mark a to-do as done',
    todoReopen: 'Reopen a to-do that was done',
    todoDelete: 'Delete a to-do',
    todoUpdate: 'Change a to-do',
    view: 'To-dos that are due, overdue or coming up, and what is planned for a day, week or month',
    schedule: 'Things to do at a set time, once or on repeat',
    task: 'Give Clew a task (/task compare three venues), or see and stop its tasks',
    taskStart: 'Start a task in a thread of its own',
    taskList: 'Show the open tasks here',
    taskShow: 'Show how far along a task is',
    taskStop: 'Stop a task',
    taskContinue: 'Continue a paused task',
    taskRetry: 'Retry a task that failed or was stopped',
    scheduleNew: 'Make a schedule by filling in a form',
    scheduleAdd: 'Schedule something once or on repeat',
    scheduleList: 'Show what is planned',
    scheduleView: 'Show a day, a week or a month',
    scheduleGet: 'Show one schedule',
    schedulePause: 'Pause a schedule',
    scheduleResume: 'Resume a paused schedule',
    scheduleUpdate: 'Change a schedule',
    scheduleRepeat: 'Turn the repeats of a schedule on or off',
    scheduleRun: 'Run it now, in addition to the planned times',
    scheduleDry: 'Show what it would do, without starting anything',
    scheduleSlots: 'Show its past runs and how they went',
    scheduleDelete: 'Delete a schedule',
    when: 'A time or a rule, such as tomorrow 9am or every weekday at 9',
    interval: 'Repeat it every so many minutes',
    times: 'How many times in total',
    starting: 'When the rule begins',
    until: 'When the rule ends',
    remindStart: 'Reminder before each repeat, such as 30m',
    duration: 'How long it takes, in minutes',
    note: 'Only remind; start no task',
    quiet: 'Say nothing when there is nothing to report',
    ping: 'Ping you with each report, even in quiet hours if it’s scheduled for then',
    strategy: 'How Clew works on its tasks',
    event:
      'Start at each event instead of at a time: a source by its name, reaction:📌, channel, bot:NAME or folder:NAME',
    match: 'Only some of its events, such as "action is opened"',
    mode: 'Whether its tasks can change things: safe (no), ask (with approval) or auto (yes)',
    allow: 'Tools that its tasks can use without asking',
    state: 'On or off',
    date: 'Which day, or the week or month it’s in, such as 2026-03-08',
    here: 'Post into this thread',
    period: 'A day, a week or a month',
    help: 'What Clew can do',
    timezone: 'Tell Clew your time zone',
    quietOf: 'Hours when Clew pings nobody',
    quietHours: 'Such as 18:00-9:00, weekends, or off',
    quietChannel: 'For everybody in this channel',
    other: 'A Clew command',
    text: 'What it says',
    words: 'Words to look for',
    id: 'Which one',
    ids: 'Which ones, such as 3 or 3,5,7-9',
    owner: 'Someone here, me, or none',
    tag: 'A tag such as work',
    priority: '0 comes first',
    due: 'When it is due, such as tomorrow 9am',
    remind: 'When to remind you: a time such as tomorrow 9am, or how long before, such as 30m',
    viewName: 'Which view',
    goal: 'What you need',
    zone: 'Such as Europe/Lisbon',
    line: 'The rest of the command, as you’d type it',
    topic: 'A command to explain',
    memory: 'What Clew remembers, and how to make it forget',
    memoryList: 'Show what is remembered here',
    memoryShow: 'Show one fact and where it comes from',
    memoryAdd: 'Remember something',
    memoryPropose: 'Propose something to remember',
    memoryAccept: 'Accept a proposal',
    memoryReject: 'Decline a proposal',
    memoryForget: 'Forget a fact',
    memoryArchive: 'Archive a fact',
    memoryRestore: 'Restore a fact',
    fact: 'What to remember',
    factName: 'Its name, such as thread-1',
    key: 'What it is about, in a word or two',
    scope: 'Who it is for',
    keep: 'Keep the other facts with the same key',
    taskAgain: 'Restart a task at one of its steps',
    againStep: 'The step’s number in /task plan; without one, where it stopped',
    sure: 'Go ahead, even if that repeats something',
    taskPlan: 'The plan with the numbers of its steps',
    taskJson: 'The plan as JSON',
    planSkip: 'Leave out a step that has not begun',
    planEdit: 'Reword a step that has not begun',
    planAdd: 'Add a step',
    planMove: 'Move a step that has not begun',
    planStep: 'The number of the step, as /task plan shows it',
    planWords: 'The step in words',
    planSide: 'Before or after',
    planOther: 'The number of the step that it comes before or after',
    planAfter: 'The step it comes after; without one, the end of the plan',
    taskQuestions: 'Show the questions that Clew needs answered',
    taskTemplates: 'Templates of your team and its servers; one by its name, filled in',
    taskTemplate: 'A server’s template and its fields, such as desk/review topic=the offsite',
    approvalsOf: 'What you’ve approved for good in this channel',
    approvalsList: 'Show what is approved for good',
    approvalsRevoke: 'End an approval, so that Clew asks again',
    approvalId: 'Its number in /approvals list',
    signInsOf: 'Where Clew works with your sign-in',
    signInsList: 'Show your sign-ins',
    signInsOut: 'Sign out: the token is revoked and forgotten',
    signInServer: 'The name of the server, as /signins list shows it',
    aboutOf: 'What holds in this channel, and why',
    auditOf: 'Who did what in this thread, by my record',
    strategyOf: 'How Clew works on the tasks in this thread',
    privacy: 'For admins: export, erase or hand over what is kept about one person',
    privacyExport: 'Export everything that is kept about one person',
    privacyErase: 'Erase everything that is kept about one person',
    privacyHandOver: 'Hand what a person owns (tasks, schedules, approvals, to-dos) to another',
    person: 'A name or an id',
    heir: 'Who gets it: a name or an id',
    yes: 'Erase it for good',
  },
  /** Placeholders for values in usage lines. */
  labels: {
    text: 'text',
    words: 'words',
    id: 'number',
    ids: 'numbers',
    step: 'step',
    when: 'time or rule',
    what: 'what to do',
    name: 'name',
    date: 'date',
    hours: 'hours',
    fact: 'fact',
    topic: 'command',
    time: 'TIME',
    remind: 'TIME|30m',
    number: 'N',
    minutes: 'MIN',
    tag: 'TAG',
    key: 'KEY',
    zone: 'ZONE',
    person: 'person',
    tools: 'TOOL',
  },
  /** Values in examples, if the person typed nothing that could be used. */
  placeholders: {
    text: 'Call Ana',
    word: 'Ana',
    tag: 'work',
    fact: 'The offsite is in Lisbon',
    step: 'Ask Ana',
  },
  sameOptions: (subcommand: string) => `[options as for ${subcommand}]`,

  /**
   * Usage errors; the nearest valid form follows on its own line. A noun may have texts of its own.
   */
  errors: {
    no_action: (_: string, command: string) => `What should /${command} do?`,
    unknown_action: (typed: string, command: string) => `/${command} doesn’t know ${typed}.`,
    unknown_option: (typed: string) => `There is no option ${typed} here.`,
    option_not_here: (typed: string) => `The option ${typed} doesn’t go with this command.`,
    no_value: (typed: string) => `The option ${typed} needs a value.`,
    twice: (typed: string) => `The option ${typed} is there twice; once is enough.`,
    extra_words: (typed: string) => `I don’t know what ${typed} means here.`,
    nothing_to_change: 'Say what to change.',
    too_many_lines: (limit: string) => `That’s more than ${limit} lines; send them in parts.`,
    too_long: (limit: string) => `That’s too long; the limit is ${limit} characters.`,
    no_text: 'The text is missing.',
    no_id: 'Which one? Its number is missing.',
    bad_id: (typed: string) => `${typed} isn’t a number from the list.`,
    no_name: 'Which one? Its name is missing, such as `thread-1`.',
    bad_name: (typed: string) =>
      `${typed} isn’t the name of a fact; \`/memory list\` shows the names.`,
    one_text_each: (typed: string) =>
      `Those to-dos would then all say ${typed}; change one at a time.`,
    bad_priority: (typed: string) => `${typed} isn’t a priority. It’s a number; 0 comes first.`,
    bad_tag: (typed: string) => `${typed} isn’t a tag. A tag is a short word, such as work.`,
    bad_hours: (typed: string) =>
      `I can’t read ${typed} as quiet hours. Write them like 18:00-9:00 or “10pm to 7am on weekdays”.`,
    bad_time: (typed: string) => `I can’t read ${typed} as a time. Write it like “tomorrow 3 pm”.`,
    bad_number: (typed: string) => `${typed} isn’t a number that fits here; write one such as 5.`,
    bad_zone: (typed: string) => `There is no time zone ${typed}; write it like Europe/Lisbon.`,
    bad_tool: (typed: string) => `A schedule can’t get permission for ${typed}.`,
    bad_mode: (typed: string) => `There is no mode ${typed}. The modes are safe, ask and auto.`,
    bad_strategy: (typed: string) =>
      `I don’t have a way of working called ${typed}. Choose step (one move at a time), batch (several at once), free (as I see fit) or auto (I pick).`,
    bad_event: (typed: string) =>
      `No source of events called ${typed} may start work here. In Slack and Discord there are \`channel\`, \`reaction:📌\` and \`bot:NAME\`; whoever runs Clew sets up the others (services, \`folder:NAME\`), and says where.`,
    bad_match: (typed: string) =>
      `I can’t read ${typed} as a condition. Write a field, then is, contains or matches, then a value: "action is opened or reopened and issue.title contains crash".`,
    match_needs_event: '`--match` needs `--event`.',
    event_has_no_time: 'This starts by an event, so times, repeats and reminders don’t go with it.',
    bad_range: (typed: string) => `There is no view ${typed}. The views are day, week and month.`,
    bad_switch: 'Write `on` to repeat it, or `off` to stop the repeats.',
    bad_scope: (typed: string) =>
      `I can’t remember things for ${typed}. Choose me, thread, channel or team.`,
    bad_key: (typed: string) =>
      `${typed} can’t be a key; a key is one or two words of letters and digits.`,
    unknown_view: (typed: string) =>
      `There is no view ${typed}. The views are all, due, mine, today, overdue, upcoming and inbox.`,
    unknown_span: (typed: string) =>
      `There is no view ${typed}. The views are all, due, mine, today, overdue, upcoming, inbox, day, week and month.`,
    remind_needs_due: 'A reminder needs a due date.',
    unread_time: (typed: string) =>
      `I don’t understand ${typed} in the time. Write it like “tomorrow 3 pm”.`,
    unclear_zone: (typed: string) =>
      `${typed} can mean several zones. Name a place, such as Europe/Lisbon.`,
    limits_need_rule:
      '`--starting` and `--until` only work for something that repeats, such as “every Monday at 9”.',
    no_time: 'When? Give a time, or something like “every Monday at 9”.',
    past_time: 'That time has passed or doesn’t exist.',
    no_title: 'What should I do at that time? Please add a few words.',
    times_needs_interval: '`--times` needs `--interval`.',
    once_needs_no_interval: 'A single time doesn’t repeat: leave out `--interval` and `--times`.',
    interval_twice:
      'You’ve already said how often, so leave out `--interval`. It goes with a single start time.',
    remind_start_needs_interval: '`--remind-start` is for repeats, so it needs `--interval`.',
    remind_after_start: 'A reminder has to come before the start. Give an earlier time.',
    past_reminder: 'That reminder’s time has already passed.',
    remind_needs_minutes: (typed: string) =>
      `For something that repeats, say how long before to remind you, such as 30m, instead of ${typed}.`,
    allow_by_people:
      'Only people can allow a schedule to change things, with `/schedule update <number> --allow …`.',
    no_choice: 'Which one? A choice is missing.',
    no_step: 'Which step? Its number is missing; `/task plan` shows the numbers.',
    bad_step: (typed: string) =>
      `${typed} isn’t the number of a step; \`/task plan\` shows the numbers.`,
    bad_side: (typed: string) => `A step can go before or after another one, not ${typed}.`,
  },
}

/** Texts about commands in general. */
export const help = {
  summary: 'the commands that Clew knows',
  title: 'Commands',
  /** Introduction, by how people give commands on their platform. */
  intro: {
    plain:
      'These work right away, even when my language model is down. Type them exactly as shown.',
    mention:
      'These work right away, even when my language model is down. In a thread, where slash commands don’t work, write `@Clew /todo …` or `!todo …`.',
    forms:
      'These work right away, even when my language model is down: type `/` and choose one. In a message to me, write `@Clew /todo …` or `!todo …`.',
  },
  /** Rule for when Clew answers (C77). */
  addressing:
    'Talk to me in a direct message, in my own thread, or by mentioning me; where people talk to each other I listen and keep quiet.',
  footer: 'More about one of them: `/help todo`',
  otherwise: 'Write anything else, and I’ll answer or take it on.',
  /** Words directly before a working example. */
  tryThis: 'Try: ',
  unknown: (typed: string) => `There is no command ${typed}.`,
  known: (names: string) => `The commands are ${names}; \`/help\` explains them.`,
}

/** Texts of `/strategy`. */
export const strategy = {
  summary: 'how Clew works on tasks in this thread from now on',
  errors: {
    no_choice:
      'Which way of working? Choose step (one move at a time), batch (several at once), free (as I see fit) or auto (I pick).',
    bad_strategy: (typed: string) =>
      `I don’t have a way of working called ${typed}. Choose step (one move at a time), batch (several at once), free (as I see fit) or auto (I pick).`,
  },
  noThread: 'This works only in a thread.',
  settled: {
    step: 'From now on I’ll work in this thread step by step.',
    batch: 'From now on I’ll do several steps at once in this thread.',
    free: 'From now on I’ll work in this thread freely, with a plan you can follow.',
    coding: 'From now on I’ll hand the tasks in this thread to the coding agent.',
    auto: 'From now on I’ll choose the way of working for each task in this thread.',
    default: 'In this thread I’m back to my usual way of working.',
  },
}

/** Texts of `/task` about the tasks of a thread. */
export const task = {
  summary:
    'the tasks in this thread: see progress, plans and my questions; stop, retry or continue them',
  listTitle: 'Tasks in this thread',
  aloneTitle: 'Running, with no thread yet',
  none: 'No task in this thread yet. Tell me what you need and I’ll start one.',
  statuses: page.statuses,
  retryOf: 'a retry',
  result: 'Result',
  noPlan: 'This task has no plan.',
  plan: {
    none: 'No task with a plan is running here.',
    how: (first: number) =>
      `You can change it from step ${first} on:\n\`/task skip ${first}\`\n\`/task edit ${first} <new words>\`\n\`/task add <words>\`\n\`/task move ${first + 1} before ${first}\``,
    notLeft: (step: number, left: readonly number[]) =>
      left.length === 0
        ? `Every step has started, so you can’t change step ${step}. \`/task add <words>\` adds one.`
        : `Step ${step} has started or doesn’t exist. You can still change ${left.length === 1 ? 'step' : 'steps'} ${left.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`,
    tooMany: (most: number) => `A plan has at most ${most} open steps. Leave one out first.`,
  },
  noQuestions: 'I have no open questions here.',
  questionsTitle: 'Open questions',
  templatesTitle: 'Plan templates',
  prompts: {
    title: 'Templates of your servers',
    row: (line: string, about: string) => `- ${line} · ${about}`,
    unknown: (name: string) => `I know no template ${name}. \`/task templates\` lists them.`,
    missing: (line: string) => `Please fill in what it needs: ${line}`,
    problems: {
      sign_in: (name: string) =>
        `${name} needs your sign-in. Ask me for something there in a thread, and I’ll give you a link.`,
      away: (name: string) =>
        `${name} is away just now. I try again by myself; please ask for it again in a minute.`,
    },
    failed: (name: string, why: string) => `${name} couldn’t be filled in: ${why}`,
    shown: (name: string) => `This is what I’d work on, in the words of ${name}:`,
    begin: 'Begin',
    long: 'This is only its beginning: it’s too long for a button. Send me what you want of it after `/task`.',
    goal: (name: string, text: string) => `By the template ${name}: ${text}`,
  },
  noTemplates: 'Your team has no plan templates yet. An admin can add some.',
  template: (name: string, about: string, steps: number) =>
    `- **${name}** · ${about} · ${steps === 1 ? '1 step' : `${steps} steps`}`,
  templatesHint: (name: string) => `Name one in your request: “… with the plan ${name}”.`,
  notFound: (name: string) =>
    `There is no task **#${name}** in this thread. \`/task list\` shows them all.`,
  nothing: {
    cancel: 'There is no task to stop here.',
    retry: 'There is no task to retry here.',
    continue: 'No task is paused here.',
    again: 'There is no task to restart here.',
  },
  errors: { bad_id: (typed: string) => `${typed} isn’t the number of a task.` },
}
