/** Texts of every chat platform: buttons, and progress of a task. */
export const chat = {
  stop: 'Stop',
  continue: 'Continue',
  retry: 'Retry',
  callFile: 'Full request as a file',
  inPrivate: 'Pick one or just reply.',
  /** Hint on a question without choices. */
  justReply: 'Just reply here.',
  approvers: (name: string | null) =>
    `Only ${name === null ? 'an admin' : `${name} or an admin`} can answer this.`,
  status: {
    queued: 'Waiting to start',
    running: 'Working',
    awaiting_clarification: 'Waiting for an answer',
    paused: 'Paused',
    succeeded: 'Done',
    failed: 'Failed',
    canceled: 'Stopped',
    given_up: 'Given up',
  },
  /** Text in place of the buttons, if the question's task has ended or asked again. */
  unanswered: {
    succeeded: '☑️ Done; no answer needed.',
    failed: '⚠️ It failed; no answer needed.',
    canceled: '⏹️ Stopped; no answer needed.',
    given_up: '⚠️ I gave up on this, so no answer is needed.',
    asked_again: 'I was away for a while, so I’ve asked this again below.',
  },
  editFirst: 'Edit, then approve',
  chose: (name: string, answer: string) => `✅ ${name}: ${answer}`,
  /** C1001. */
  notApproved: (name: string, answer: string) => `🚫 ${name}: ${answer} · not approved`,
  changed: (name: string) => `✅ ${name} edited the request and approved it:`,
  helpful: 'Helpful',
  unhelpful: 'Not helpful',
  /** Forms: Slack's dialogs and Discord's modals. */
  form: {
    title: 'Your answer',
    answer: 'In your own words',
    call: 'What Clew would do',
    send: 'Send',
    approve: 'Approve',
    close: 'Cancel',
    notOpened: 'The form didn’t open in time. Please try once more.',
    done: 'Close',
    picked: 'Ask about a message',
    wish: 'What should Clew do with it?',
    ifBlank: 'If you leave this empty, I’ll just take a look',
    gone: 'That was too long ago. Please pick the message once more.',
    newSchedule: 'New schedule',
    when: 'When',
    what: 'What to do',
    example: { when: 'every weekday at 9:00', what: 'Post what is due today' },
  },
  added: (items: readonly string[]) => `New: ${items.join('; ')}`,
  dropped: (items: readonly string[]) => `Dropped: ${items.join('; ')}`,
}

/**
 * Texts for Slack only: buttons, the Home tab, greetings, and reasons why something could not be
 * shown.
 */
export const slack = {
  ...chat,
  openThread: 'Open thread',
  suggested: {
    title: 'What is due',
    due: (text: string) => `Due: ${text}`,
    helpWith: (text: string) => `Help me finish this to-do: ${text}`,
    runNow: (title: string) => `Run now: ${title}`,
    again: (title: string) => `Once more: ${title}`,
  },
  thinking: 'is thinking…',
  appNotAllowed: (name: string, id: string) =>
    `You wrote this through ${name}, and I don’t accept messages from that app yet. Write to me yourself, or ask an admin to allow it (\`ALLOWED_APPS\`, \`${id}\`).`,
  ownWords: 'In my own words',
  askedOf: (name: string) => `${name}, or anyone else: pick one or just reply.`,
  askedOfNobody: 'Anyone: pick one or just reply.',
  requestGone: (channel: string) =>
    `The original message in <#${channel}> was deleted, so I’m telling you here.`,
  cannotPostThere: (channel: string) =>
    `I can’t post in <#${channel}> any more, so I’m telling you here. To have me back there, write \`/invite\` in the channel.`,
  reportFile: 'Full report as a file',
  asks: (name: string, text: string) => `${name}: ${text}`,
  taskStarted: 'I’ve opened a thread for it here.',
  taskUsage:
    'Write `/task` and what you need, for example `/task plan the first week of our new designer`. `/task` on its own lists what I’m doing for you.',
  noTasks: 'I’m not working on anything for you right now.',
  inviteFirst: 'I’m not in this channel yet. Write `/invite @Clew` here, then try again.',
  notInThread:
    'I’m not in that channel. Write `/invite @Clew` there, then try again, or send me the text in a direct message.',
  stopped: 'Stopping.',
  opened: 'I’ll take it from here, in that message’s thread.',
  welcome: (bot: string) =>
    `Hello! I’m Clew. Mention me with what you need and I’ll work on it in a thread, with a plan you can watch.\n\n- \`@${bot} plan the first week of our new designer\`\n- \`@${bot} every weekday at nine, post what is due today\`\n- \`@${bot} todo add send the invoice --due tomorrow\`\n\nIn my threads you don’t need to mention me. \`@${bot} help\` shows everything I can do.`,
  hello:
    'Hello! I’m Clew. Write what you need here, one thing per message. I’ll answer in that message’s thread, or work on it there with a plan you can watch.\n\n- `plan the first week of our new designer`\n- `every weekday at nine, post what is due today`\n- `todo add send the invoice --due tomorrow`\n\n`help` shows everything I can do. To use me in a channel, invite me there and mention me.',
  home: {
    title: 'Clew',
    lead: 'Mention me in a channel or write to me in *Messages*.',
    zone: (zone: string) => `Your time zone: *${zone}*, as in your Slack profile.`,
    readAgain: 'Refresh',
    waiting: 'Waiting for your answer',
    tasks: 'What I’m working on for you',
    none: 'Nothing yet. Try: plan the first week of our new designer.',
    todos: 'Your to-dos',
    schedules: 'Your schedules',
    noTodos:
      'None yet. To add one, write `todo add send the invoice --due tomorrow` in *Messages*.',
    noSchedules:
      'None yet. To add one, write `/schedule add every weekday at 9:00 post what is due today` in a channel.',
    done: 'Done',
    pause: 'Pause',
    resume: 'Resume',
    runNow: 'Run now',
  },
  installed: (team: string) =>
    `Clew is installed in ${team}. You can close this window and mention @Clew in a channel.`,
  installFailed: 'The installation didn’t work. Please start again from the install link.',
}

/** Texts for Discord only: buttons, commands, and reasons why something could not be shown. */
export const discord = {
  ...chat,
  menus: { ask: 'Ask Clew about this', stop: 'Stop' },
  notHere:
    'I’m not in this server or conversation, so this doesn’t work here. Write to me in a direct message, or ask an admin to invite me.',
  inDirect: (link: string) =>
    `I’m not a member here, so I’ll answer in your direct messages: ${link}`,
  ownWords: 'Answer in my own words',
  pick: 'Choose an answer',
  pickFrom: (from: number, to: number) => `Choose an answer (${from} to ${to})`,
  byReply: 'Choose, or reply to this message.',
  noThreads: (place: string) =>
    `I’m not allowed to write in threads in ${place}, so I’ll answer here. An admin can give me the “Send Messages in Threads” permission.`,
  requestGone: (place: string) =>
    `The original message in ${place} was deleted, so I’m telling you here.`,
  byMention: 'Choose, or mention me with your answer.',
  anyone: 'Anyone: pick one or just reply.',
  planning: 'Making a plan',
  earlierItems: (count: number) => `… ${count} earlier`,
  moreItems: (count: number) => `… and ${count} more`,
  wholeReport: 'The full report is in the file.',
  reportName: 'report.md',
  fileRefused: (name: string) =>
    `I’m not allowed to attach files in this channel, so \`${name}\` is missing here or cut short. An admin can give me the “Attach Files” permission.`,
  codeFile: (name: string) => `📎 \`${name}\``,
  blockedThere: (place: string) =>
    `This server’s AutoMod blocked what I wanted to say in ${place}, so I’m telling you here.`,
  cannotPostThere: (place: string) =>
    `I can’t write in ${place} any more, so I’m telling you here. An admin can let me back in there.`,
  notKept: 'I couldn’t save that just now. Please try again in a moment.',
  stillStoring:
    'This is taking me longer than usual. If nothing has changed here in a minute, please try again.',
  notYours: 'That has already ended or been answered, so there’s nothing left to do here.',
  asks: (name: string, text: string) => `**${name}**: ${text}`,
  openedBelow: (link: string) => `I’ll take it from here, in a thread: ${link}`,
  openedHere: 'I’ll take it from here.',
  nowhere: 'I can’t open a thread here. Write to me in a text channel, or in a direct message.',
  told: {
    cancel: 'Stopping.',
    continue: 'Continuing.',
    retry: 'Retrying.',
    plan: 'I’m changing the plan.',
    again: 'I’m restarting it. You can follow it in its thread.',
  },
  noTasks: 'Nothing is running here.',
  openTasks: 'What I’m working on',
  noSuchCommand: 'That command no longer exists. Discord will show the new ones in a moment.',
  zoneKept: (zone: string, time: string) => `Your time zone is ${zone}; it is ${time} there now.`,
  zoneUnclear: (zone: string, places: string) =>
    `${zone} can mean several places. Choose one: ${places}.`,
  zoneUnknown: (zone: string) =>
    `I don’t know the time zone “${zone}”. Write it like Europe/Lisbon.`,
  welcome: (mention: string) =>
    `Hello! Mention me with what you need, and I’ll work on it in a thread, with a plan you can watch:\n- ${mention} plan the first week of our new designer\n- ${mention} every weekday at nine, post what is due today\n- ${mention} todo add send the invoice --due tomorrow\n\nIn my threads you don’t need to mention me. \`/help\` shows everything I can do.`,
}
