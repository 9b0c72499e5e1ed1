import type * as en from '../en/core.ts'

export const core: typeof en.core = {
  resumeWords: ['继续', '继续执行', '继续任务', '接着做', '请继续', '继续吧'],
  thanksWords: [
    '非常感谢',
    '谢谢你',
    '谢谢啦',
    '谢谢',
    '多谢',
    '感谢',
    '好的，谢谢',
    '好的谢谢',
    '辛苦了',
    '谢了',
  ],
  openers: [],

  strategyWords: {
    step: ['一步一步', '一步步', '逐步', '仔细'],
    batch: ['快速', '尽快', '赶快', '批量', '一次性'],
    free: ['自由发挥', '随你', '自己看着办'],
  },

  handedOver: '看看这条消息。',

  aside: {
    outbox: '这里有一条消息无法显示。Clew 的管理员可以查到是哪一条以及原因。',
    inbox: '这里有一条发言无法处理。请换一种说法再说一次；Clew 的管理员可以查到原因。',
    alarm: (title: string) =>
      `“${title}”已到时间，但无法处理。请重新创建；Clew 的管理员可以查到原因。`,
    lost: '本会话的一个任务、日程或提醒已无法读取，已被搁置。请重新提出；Clew 的管理员可以查到是哪一个以及原因。',
    conversation:
      '本会话的记录已损坏，现已重新建立。之前的发言都还在；尚未结束的任务可能需要重新提出。Clew 的管理员可以查到原因。',
    run: (title: string) => `“${title}”无法继续，已经结束。请重新提出；Clew 的管理员可以查到原因。`,
  },

  zoneUnset: (clock, zone, command) =>
    `${clock} 是按 ${zone} 时区理解的：你的时区还没有设置。${command === null ? '' : `可以用 \`${command}\` 设置。`}`,
  stopped: (by, isOwn) => (isOwn ? '已取消当前任务。' : `已取消当前任务。由 ${by} 停止。`),
  stoppedAt: (done, total) => `共 ${total} 步，完成了 ${done} 步。`,
  between: '',
  staysDone: '以下已经做过，不会撤销：',
  calledOff: () => '已取消当前任务。',
  stopIt: (title) => `要停止“${title}”吗？`,
  stopTitled: (title) => `停止“${title}”`,
  stopsThere: (title) => `正在停止“${title}”，进度见它的会话。`,
  runsElsewhere: (titles) =>
    `这里没有进行中的任务。你在本频道的任务：${titles.map((title) => `“${title}”`).join('、')}。`,
  endedBefore: '在我看到之前，它已经结束了。',
  canceledToo: (titles) =>
    `之后的任务也已取消：${titles.map((title) => `“${title}”`).join('、')}。`,
  nothingToCancel: '当前没有进行中的任务。',
  alreadyEnded: (title, status) => `“${title}”已经结束（${status}）。`,
  planMovedOn: (title) =>
    `“${title}”的计划在此期间已有进展，你的修改没有生效。请查看剩余步骤后再修改。`,
  nothingToContinue: '这里没有可以继续的任务：没有处于暂停状态的任务。',
  notRetryable: (title) => `“${title}”仍在进行中，无需重试。如需重新开始，请先停止它。`,
  runNotFound: '已经找不到这个任务了。',
  feedbackKept: (good: boolean) => (good ? '谢谢！👍' : '谢谢，记下了。👎'),
  outsider:
    '我在这里只为团队成员工作，所以这件事留给他们。可以请团队成员来问我，或者请他们允许外部人员使用。',
  notKnown: '我刚才没能查到你是谁，所以没有处理这条内容。请过一分钟再试。',
  notAllowed: '抱歉，你不在可以使用 Clew 的名单中，可以请管理员添加。',
  tooFast: '一分钟内的消息太多，有一些我没有接收。请稍等片刻，再把缺少的发一次。',
  ownerOnly: (name) => `只有 ${name} 可以回答这个问题。`,
  adminOnly: '只有管理员可以回答这个问题。',
  alreadyAnswered: (name, answer) => `谢谢，${name} 已经回答过了：“${answer}”。`,
  questionGone: '谢谢，这个问题已经结束，不需要再回答了。',
  requestDeleted: '请求这个任务的消息被删除了，所以我停下了。',
  deletedTitle: '已删除的请求',
  takenBack: '（我删除了关于这件事的一条消息，请不要再考虑它。）',
  editTaken: '我已采用你修改后的内容，之前还没有开始。',
  editSeen: '我看到了你的修改，接下来会按修改后的内容做。',
  editedTo: (text) => `（把之前的消息改为：）${text}`,
  emptyMention: '你好！告诉我需要做什么，或者输入 `help` 看看我能做什么。',

  decisionFailed: (why) => `抱歉，这个我没能回答。${why}`,
  modelAway: '模型目前没有回应；它一恢复，我就回答。如果不需要了，请回复“停止”。',
  againGone: '这条消息已经重试过，或者太久了。请再发一次。',
  triedAgain: (name) => `↻ ${name} 已让我重试。`,
  offerTaken: (name) => `${name} 已经决定过了。`,
  taskAway: (title, why) => `${why}模型一恢复，“${title}”就会自动继续。如需结束，请回复“停止”。`,
  modelFailed: {
    key_refused: () => '语言模型不接受 Clew 的密钥，管理员可以换一个有效的。',
    no_credit: () => '语言模型的账户余额已用完，管理员可以充值或提高限额。',
    unknown_model: () => '找不到 Clew 设置的语言模型，管理员可以换一个。',
    wrong_address: () => 'Clew 设置的地址上没有语言模型应答，那里是别的服务。管理员可以更正地址。',
    rate_limited: (until) =>
      `语言模型${until === null ? '现在' : `在 ${until} 之前`}不再接受请求。稍后会自行恢复；管理员可以提高限额。`,
    overloaded: () => '语言模型过载或出了故障，通常会自行恢复。',
    unreachable: () => '无法连接语言模型。如果一直这样，管理员可以检查一下。',
    timed_out: () => '语言模型没有及时回答。可以把请求写短一些；管理员可以延长等待时间。',
    context_too_long: () =>
      '内容太长，语言模型一次读不完。请减少文字或文件，或者在新的会话里提出。',
    filtered: () => '语言模型的提供方因其内容规则拒绝了这个请求，换个说法也许可以。',
    reply_unusable: () => '模型没有给出可用的回答。请再试一次，或换个说法。',
  },
  notConfigured:
    '还没有连接语言模型，所以暂时无法回答。`/todo` 等命令可以使用。要连接模型，请设置 `OPENAI_API_KEY`（本地模型用 `OPENAI_BASE_URL`），然后重新启动 Clew。',
  typeNotAllowed: (type) => `抱歉，任务类型 '${type}' 不在允许列表中。`,
  unknownRunType: (type) =>
    `此版本的 Clew 不认识任务类型“${type}”。请改用创建该任务的版本，或换个说法重新提出。`,
  unknownStrategy: (name) =>
    `这里没有名为“${name}”的工作方式。请在提供它的 Clew 中运行，或换个说法重新提出。`,
  runBroke: (type, why) =>
    `“${type}”失败了：${why}。无法确定在此之前是否已经生效；再次提出之前请先查看。`,
  commandBroke: (name, why) => `\`${name}\` 未能完成：${why}`,
  createFailed: (problem) => `抱歉，任务创建失败：${problem}。`,
  startedOver: '正在重试。',
  startedOverAlready: (title) => `“${title}”已经在重试了。`,
  again: {
    begun: (name, title, step, text) => `${name}让“${title}”从第 ${step} 步重新进行：${text}`,
    notNow: (title) => `“${title}”要在暂停或结束之后、并且有计划时，才能重新进行。请先停止它。`,
    noPlan: (title) => `“${title}”没有可以重新进行的计划。重试会从头开始整个任务。`,
    notBegun: (last) =>
      last === 1
        ? '只能从第 1 步重新进行；其他步骤还没开始。'
        : `只能从第 1 到第 ${last} 步重新进行；其他步骤还没开始。`,
    repeats: (title, step, text) =>
      `如果“${title}”从第 ${step} 步（${text}）重新进行，下面这些已经做过的事可能会再做一次：`,
    call: (tool, input) => `- **${tool}** ${input}`,
    more: (count) => `- 另外还有 ${count} 项`,
    honest:
      '已经做过的不会撤销。新的任务会重新调用：即使工具对同一次调用只执行一次，也会把它当作另一次。',
    button: '仍然重新进行',
  },

  opening: {
    asked: (name, words) => `**${name}** 的请求：${words}\n\n如果需要回答，我会在下面提问。`,
    question: (name, title) =>
      `**${title}**${name === null ? '' : `（${name} 的日程）`}。需要回答才能继续：`,
    report: (name, title) => `*${title}${name === null ? '' : ` · ${name} 的日程`}*`,
  },

  followUp: {
    next: (title: string) => `按约定接着做：${title}`,
    closed: '没有约定更多的工作，到此完成。',
  },

  whichChoice: (text, [first = '', ...others]) =>
    others.length === 0
      ? `你是指“${first}”，还是“${text}”本身？请点一个，或者多写几个字。`
      : `你是指${[first, ...others].map((one) => `“${one}”`).join('还是')}？请点一个，或者写全。`,
  stillOpen: '我会转达。我的问题还在等待回答。',
  notJudged: (name) => `${name}，模型没有回应，我无法判断这是不是对我说的。请 @我 再说一次。`,
  questionPrefix: '请确认：',
  stuckQuestion: (item) => `我在“${item}”这一步一直没有进展，接下来怎么办？`,
  stuckChoices: ['跳过这一步', '换一种做法'],
  unknownOutcome: (tool, begun) =>
    `我在使用“${tool}”${begun === null ? '' : `（开始于 ${begun}）`}时被中断，无法确定它是否已经生效。请检查一下：继续，还是重新执行？`,
  unknownOutcomeChoices: ['已生效，继续', '没有生效，重新执行'],
  approval: {
    asks: (tool) => `可以为此使用 **${tool}** 吗？`,
    by: (name, schedule) =>
      `${name === null ? '没有人要求这样做' : schedule === null ? `由${name}提出` : `由${name}的日程 #${schedule} 提出`}。无论谁批准，都以我自己的权限执行。`,
    once: '同意后，本任务中再次使用它不再询问。',
    notShown: (count: number) => `（还有 ${count} 个字符；完整内容见附件）`,
    approve: '批准',
    refuse: '拒绝',
  },
  reminder: (question) => `提醒一下，这个问题还在等待回答：${question}`,
  pausedReminder: (title) =>
    `提醒一下：“${title}”仍处于暂停状态。说“继续”可以接着做，说“停止”可以结束它。`,

  succeeded: (title, summary) => `任务已完成：${title}\n\n${summary}`,
  failed: (title, error) => `任务执行失败：${title}\n\n错误：${error}`,
  failedBecause: (error) => `任务执行失败。\n\n错误：${error}`,
  runCanceled: (title) => `任务已取消：${title}`,
  titleSucceeded: (title) => `任务已完成：${title}`,
  made: (name, type, bytes) => `已生成 **${name}**（${type}，${bytes} 字节）。`,
  titleFailed: (title) => `任务执行失败：${title}`,
  titleCanceled: (title) => `任务已取消：${title}`,
  titleQuestion: (title) => `问题：${title}`,
  digest: (done: readonly string[], calls: number, failed: number) =>
    [
      done.length === 0 ? '任务执行完成，但没有总结。' : `已完成：${done.join('；')}。`,
      ...(failed === 0 ? [] : [`工具调用 ${calls} 次，其中失败 ${failed} 次。`]),
    ].join(''),
  gather: {
    succeeded: (title, result) => `**${title}**\n${result}`,
    failed: (title, error) => `**${title}**：失败。${error ?? '原因不明。'}`,
    other: {
      canceled: (title) => `**${title}**：已取消。`,
      open: (title) => `**${title}**：未能按时完成。`,
    },
    missing: (count, size) => `${size} 项中有 ${count} 项未按时到达。`,
  },
  skipped: (items) => `未做的步骤：${items.join('；')}。`,
  slept: (words) => `${words}已到。`,
  duration: (seconds) =>
    seconds < 120
      ? `${seconds} 秒`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} 分钟`
        : `${Math.round(seconds / 3600)} 小时`,

  paused: '已暂停',
  doneSoFar: '已完成部分',
  nothingDone: '暂无',
  whyStopped: '未完成原因',
  nextStep: '下一步建议',
  resumeHint: '输入“继续”从这里接着做；需要改什么可以一起说，例如“继续，改到上海”。',
  usedUp: (why, again) => `${why}${again} 起可以再次回答；\`/todo\` 等命令照常可用。`,
  unlooked: (names) => `没有查看 ${names}：剩余用量不够。`,
  usageWarning: (percent, what, again) =>
    `${what}已用 ${percent}%。用完后任务会暂停到 ${again}；管理员可以提高上限。`,
  allowances: {
    person_day: '你一天的用量',
    channel_day: '本频道一天的用量',
    team_day: '团队一天的用量',
    person_month: '你一个月的用量',
    channel_month: '本频道一个月的用量',
    team_month: '团队一个月的用量',
  },
  periodAgain: (again) => `${again} 起可以继续；管理员可以提高上限。`,
  retryHint: '点击“重试”或再发一次请求即可重新开始；已完成的内容列在上面。',
  reasons: {
    steps: (count) => `在全部完成之前达到了 ${count} 步的上限。`,
    rounds: () => '已达到本任务的轮数上限，尚未全部完成。',
    iterations: (_: number, iterations: number) => `已执行 ${iterations} 次迭代，仍未完成。`,
    model_calls: () => '已达到单个任务的模型调用上限。',
    tool_calls: () => '已达到单个任务的工具调用上限。',
    tokens: () => '已达到单个任务的 token 上限。',
    cost: () => '已达到单个任务的费用上限。',
    time: () => '已达到单个任务的时间上限。',
    person_day: () => '已用完一个人一天的用量。',
    team_day: () => '已用完团队一天的用量。',
    channel_day: () => '已用完本频道一天的用量。',
    person_month: () => '已用完一个人一个月的用量。',
    team_month: () => '已用完团队一个月的用量。',
    channel_month: () => '已用完本频道一个月的用量。',
    model_unavailable: () => '连续多次无法连接语言模型。',
    model_unusable: () => '语言模型连续多次返回无法使用的结果。',
    no_desk: () => '暂时无法使用与编程智能体共享的文件夹，请管理员检查。',
    unanswered: () => '没有人在规定时间内回答它的问题。',
  },
  gaveUp: {
    no_plan: '这件事我三次都没能做出计划。请换个说法，或点“重试”。',
    not_configured:
      '还没有连接语言模型。要连接模型，请设置 `OPENAI_API_KEY`（本地模型用 `OPENAI_BASE_URL`），然后重新启动 Clew。',
    attempts: '超过最大尝试次数（3）：在同一步骤被中断了三次。',
  },
  standing: {
    goal: (goal: string) => `目标：${goal}`,
    steps: (done: number, total: number) => `已完成步骤：${done}/${total}`,
    current: (step: string) => `当前步骤：${step}`,
    iterations: (count: number) => `已用迭代：${count}`,
  },
  remaining: (items) => `尚未完成：${items.join('；')}。`,

  progress: {
    planned: (count) => `规划完成：共 ${count} 步`,
    replanned: (count) => `重规划完成：共 ${count} 步`,
    current: (index, total, item) => `当前计划项：${index}/${total} - ${item}`,
    thought: {
      act: '思考决策：执行动作',
      step_done: '思考决策：步骤完成',
      ask: '思考决策：请求澄清',
      goes_on: '思考决策：继续',
      task_done: '思考决策：任务完成',
    },
    action: (tool, input) => `步骤动作：${tool} -> ${input}`,
    result: (ok) => (ok ? '步骤结果：成功' : '步骤结果：失败'),
    counts: (done, total) => `已完成 ${done}/${total}`,
    because: (name, _text, added, dropped) =>
      `${name} 改了要求：${added === 0 && dropped > 0 ? '' : `新增 ${added} 步`}${dropped === 0 ? '' : `${added === 0 ? '' : '，'}删除 ${dropped} 步`}`,
    changed: (added, dropped) => `计划有变：新增 ${added} 步，删除 ${dropped} 步`,
    changedBy: (name, added, dropped) =>
      `${name} 修改了计划：${added === 0 && dropped === 0 ? '调整了顺序' : `新增 ${added} 步，删除 ${dropped} 步`}`,
  },
}

export const coding: typeof en.coding = {
  verdict: {
    next: (step, total, title, evidence) => `✔ 第 ${step}/${total} 步“${title}”：完成。${evidence}`,
    retry: (step, total, title, evidence) =>
      `↻ 第 ${step}/${total} 步“${title}”：还没有做好，再做一次。${evidence}`,
    replan: (step, total, title, evidence) =>
      `⇄ 第 ${step}/${total} 步“${title}”：计划需要调整。${evidence}`,
    abort: (step, total, title, evidence) =>
      `✖ 第 ${step}/${total} 步“${title}”：任务在此终止。${evidence}`,
  },
  stuck: (step, why) =>
    `“${step}”失败了，我自己无法继续${why === null ? '' : `（${why}）`}。跳过、终止，还是换一种做法？请直接说明。`,
  stuckChoices: ['跳过这一步', '终止任务'],
  stuckWords: { skip: ['跳过'], stop: ['终止', '放弃'] },
}
