import type * as en from '../en/core.ts'
import { zoneName } from './zone.ts'

/** 谁提出的，或来自哪个日程。 */
const from = (name: string | null, schedule: number | null): string => {
  if (schedule !== null)
    return name === null
      ? `这是日程 #${schedule} 要做的`
      : `这是 ${name} 的日程 #${schedule} 要做的`
  return name === null ? '没有人直接让我做这件事' : `这是 ${name} 让我做的`
}

/** 新增和删除的步数；不写零，除非都是零。 */
const stepsChanged = (added: number, dropped: number): string => {
  const fewer = dropped === 0 ? '' : `删除 ${dropped} 步`
  if (added === 0 && fewer !== '') return fewer
  return `新增 ${added} 步${fewer === '' ? '' : `，${fewer}`}`
}

type Amounts = Parameters<typeof en.core.forecast.past>[1]

const figures = ({ calls, cost, time }: Amounts) =>
  [`问模型 ${calls} 次`, cost, time].filter((one) => one !== null).join('，')

const orOperator = (name: string | null) => (name === null ? '管理员' : ` ${name} 或管理员`)

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
  praise: ['完美', '太好了', '很好', '好的', '不错', '太棒了', '真棒', '很有帮助'],
  openers: [],

  strategyWords: {
    step: ['一步一步', '一步步', '逐步', '仔细'],
    batch: ['快速', '尽快', '赶快', '批量', '一次性'],
    free: ['自由发挥', '随你', '自己看着办', '带跟踪计划', '边做边跟踪计划'],
  },

  handedOver: '看看这条消息。',

  aside: {
    outbox:
      '我有一条消息没能在这里发出来。如果你没等到回复，请再问一次；管理员可以查到是哪一条、为什么。',
    inbox: '刚才有一条消息我没能处理。如果你没等到回复，请换个说法再发一次；管理员可以查到原因。',
    alarm: (title) => `“${title}”到时间了，但没能开始。请重新安排一次；管理员可以查到原因。`,
    lost: '这个会话里有一个任务、日程或提醒被我弄丢了。请看看少了哪个，再提一次；管理员可以查到是哪一个。',
    conversation:
      '这个会话的记录坏了，我重新建了一份。说过的话都还在；没做完的任务可能要再提一次。',
    run: (title) => `“${title}”没法继续，已经结束了。请重新提一次；管理员可以查到原因。`,
  },

  zoneUnset: (clock, zone, command) =>
    `${clock} 是按${zoneName(zone)}算的，你还没设置时区。${command === null ? '' : `可以用 \`${command}\` 设置。`}`,
  stopped: (by, isOwn) =>
    isOwn
      ? '已取消当前任务。'
      : `已取消当前任务。是${by === null ? '在 Clew 的页面上' : ` ${by} `}让停的。`,
  stoppedAt: (done, total) =>
    total === 1
      ? `只有一步，${done === 0 ? '还没做完' : '已经做完了'}。`
      : `共 ${total} 步，${done === 0 ? '一步都还没做完' : `做完了 ${done} 步`}。`,
  between: '',
  about: (item, text) => `${item}：${text}`,
  tookEffect: '到现在已经改动的：',
  staysDone: '下面这些已经做了，不会撤销：',
  calledOff: () => '已取消当前任务。还没有开始做。',
  stopIt: (title) => `要停止“${title}”吗？`,
  stopTitled: (title) => `停止“${title}”`,
  stopsThere: (title) => `正在停止“${title}”，做到哪一步会在它的会话里说。`,
  runsElsewhere: (titles) =>
    `这里没有进行中的任务。你在本频道还有：${titles.map((title) => `“${title}”`).join('')}。`,
  endedBefore: '我看到的时候它已经结束了。',
  canceledToo: (titles) => `排在它后面的也停了：${titles.map((title) => `“${title}”`).join('')}。`,
  nothingToCancel: '当前没有进行中的任务。',
  alreadyEnded: (title, status) => `“${title}”已经结束（${status}）。`,
  planMovedOn: (title) => `“${title}”的计划刚才变了，你的修改没有生效。请看看剩下的步骤再改。`,
  nothingToContinue: '这里没有暂停的任务，不用继续。',
  notRetryable: (title) => `“${title}”还在进行，不用重试。想重新开始的话，请先停止它。`,
  runNotFound: '已经找不到这个任务了。',
  feedbackKept: (good) => (good ? '谢谢！👍 只有你和管理员看得到。' : '谢谢，记下了。👎'),
  feedbackWhy: '谢谢，记下了。👎 哪里不对？你的评价和理由只有你和管理员看得到。',
  feedbackReasons: { wrong: '内容有误', incomplete: '缺了内容', unasked: '不是我要的' },
  feedbackOwn: '自己填写',
  feedbackForm: '哪里不对？',
  test: {
    keep: '留作测试',
    right: '怎样才对？',
    example: '例如：要写明预算上限，不要推荐波尔图。管理员改了设置后，会用它再试一次。',
    kept: '已留作测试，不含人名。管理员改了设置后，会用它再试一次。',
    off: '这里还不能把任务留作测试。请管理员把 `TESTS` 设为一个文件夹并重新启动我，然后再按一次。',
    none: '这项任务不能留作测试：它还没结束、已不再保存，或是编码任务。',
  },
  outsider:
    '我在这里只帮团队成员做事，这件事我就不处理了。可以请团队里的人来找我，或者请管理员开放给外部人员。',
  notKnown: '刚才没能确认你的身份，这条先没处理。请过一分钟再试。',
  notAllowed: '抱歉，你现在还不能让我做事，可以请管理员开通。',
  closed: (fault) =>
    fault === null
      ? '这个频道的规则写错了，在管理员改好之前，我在这里什么都不做。'
      : `这个频道的规则写错了，改好之前我在这里什么都不做：${fault}`,
  tooFast: '一分钟内消息太多，有几条我没处理。请稍等一分钟，把我没回复的再发一次。',
  answerOnly: (name) => `只有${orOperator(name)}可以回答。`,
  approveOnly: (name) => `只有${orOperator(name)}可以批准。`,
  staysInThread: '你的消息仍留在会话里。',
  alreadyAnswered: (name, answer) => `谢谢，${name} 已经回答过了：“${answer}”。`,
  questionGone: '谢谢，这个问题已经不用回答了。',
  requestDeleted: '提出这个任务的消息被删了，我就停下了。',
  deletedTitle: '已删除的请求',
  takenBack: '（我删掉了关于这件事的一条消息，那条就不用管了。）',
  editTaken: '我还没开始，就按你改过的来做。',
  editSeen: '看到你改了，接下来按改过的做。',
  editedTo: (text) => `（把之前的消息改为：）${text}`,
  emptyMention: '你好！告诉我需要做什么，或者输入 `help` 看看我能做什么。',

  decisionFailed: (why) => `抱歉，这个我没能回答。${why}`,
  modelAway: '模型现在没有回应；它一恢复，我就回答。不需要了就回复“停止”。',
  againGone: '这条消息已经重试过，或者时间太久了。请再发一次。',
  triedAgain: (name) => `↻ ${name} 让我再试一次。`,
  offerTaken: (name) => `${name} 已经处理过了。`,
  taskAway: (title, why) => `${why}模型一恢复，“${title}”就会自动继续。不需要了就回复“停止”。`,
  modelFailed: {
    key_refused: '语言模型不认我的密钥，请管理员换一个。',
    no_credit: '语言模型的账户余额已用完，请管理员充值或提高限额。',
    unknown_model: '配置的语言模型不存在，请管理员换一个。',
    wrong_address: '按配置的地址连不上语言模型，请管理员检查地址。',
    rate_limited: (until) =>
      `语言模型${until === null ? '现在到了限额，过后会自己恢复' : `到了限额，要到 ${until} 才恢复`}；管理员可以提高限额。`,
    overloaded: '语言模型太忙或出了故障，通常几分钟就会恢复。',
    unreachable: '我连不上语言模型。如果一直这样，请管理员检查一下。',
    timed_out: '语言模型没有及时回答。可以把请求写短一些；管理员可以延长等待时间。',
    context_too_long: '内容太长，语言模型一次读不完。请减少文字或文件，或者在新的会话里提出。',
    filtered: '这条没通过模型服务商的内容审核，换个说法也许可以。',
    reply_unusable: '模型没有给出可用的回答。请再试一次，或换个说法。',
  },
  notConfigured:
    '我还没有连上语言模型，暂时没法回答。管理员可以连接一个（“设置连接”页，或 `OPENAI_API_KEY`）。`/todo` 等命令现在就能用。',
  typeNotAllowed: (type) => `抱歉，任务类型 '${type}' 不在允许列表中。`,
  unknownRunType: () => '这个任务是另一个版本的 Clew 开始的，我没法继续。请重新提一次。',
  unknownStrategy: (name) =>
    `没有“${name}”这种工作方式。请改成 step、batch、free 或 auto，或者不写，再提一次。`,
  runBroke: (title, why) =>
    `“${title}”失败了：${why}。出错之前，有一部分可能已经生效了；再让我做之前，请先查一下。`,
  commandBroke: (name, why) => `\`${name}\` 没执行成：${why}`,
  createFailed: (problem) => `抱歉，任务创建失败：${problem}。`,
  startedOver: '正在重试。',
  carriesOn: (title) => `我从停下的地方继续“${title}”，已完成的不会重做。`,
  startedOverAlready: (title) => `“${title}”已经在重试了。`,
  again: {
    begun: (name, title, { step, text, isDone }) =>
      `${name} 让“${title}”从第 ${step} 步${isDone ? '重做' : '继续'}：${text}`,
    notNow: (title) => `“${title}”还在进行。请先停止它，再重做。`,
    noPlan: (title) => `“${title}”没有计划，不能从某一步重做。重试会从头开始。`,
    notBegun: (last) =>
      last === 1
        ? '只能从第 1 步重做；其他步骤还没开始。'
        : `只能从前 ${last} 步里选一步重做；后面的还没开始。`,
    repeats: (title, step, text) =>
      `“${title}”从第 ${step} 步（${text}）重做的话，下面这些做过的事可能会再做一次：`,
    call: (tool, input) => `- **${tool}** ${input}`,
    more: (count) => `- 另外还有 ${count} 项`,
    honest: '已经做过的不会撤销；从这一步起，后面的都会再做一遍。',
    button: '仍然重做',
  },

  opening: {
    asked: (name, words) => `**${name}** 的请求：${words}\n\n有需要你们回答的，我会在下面问。`,
    question: (name, title) =>
      `**${title}**${name === null ? '' : `（${name} 的日程）`}。有个问题，回答了我才能继续：`,
    report: (name, title) => `*${title}${name === null ? '' : ` · ${name} 的日程`}*`,
  },

  followUp: {
    next: (title) => `按约定接着做：${title}`,
    closed: '后面没有要接着做的了，这件事做完了。',
  },

  whichChoice: (text, [first = '', ...others]) =>
    others.length === 0
      ? `你是选“${first}”，还是就按你写的“${text}”？请点一个，或者多写几个字。`
      : `你是指${[first, ...others].map((one) => `“${one}”`).join('还是')}？请点一个，或者写全。`,
  stillOpen: '收到，我做的时候会考虑进去。我刚才的问题还在等回答。',
  stillOpenConsent:
    '我看到了，但看不出是同意还是不同意。请点我问题下面的按钮，或者只回“同意”或“不同意”。',
  notJudged: (name) =>
    `${name}，这是对我说的吗？模型现在没有回应，我判断不了。如果是，请 @我 再说一次。`,
  questionPrefix: '请确认：',
  stuckQuestion: (item) => `我在“${item}”这一步一直没有进展，接下来怎么办？`,
  stuckChoices: ['跳过这一步', '换一种做法'],
  unknownOutcome: (tool, begun) =>
    `我在使用“${tool}”${begun === null ? '' : `（开始于 ${begun}）`}时被中断了，不知道有没有生效。请查一下再告诉我：接着做，还是再做一次？`,
  unknownOutcomeChoices: ['已生效，继续', '没有生效，重新执行'],
  approval: {
    asks: (tool) => `这件事需要用 **${tool}**，可以吗？`,
    schedules: (title, rule, isNote) =>
      `我会安排“${title}”：${rule}。${isNote ? '到时只发这句话。' : ''}`,
    todos: (line) => `我会加一条待办：${line}`,
    by: (name, schedule) => `${from(name, schedule)}。批准后，我用的是自己的权限，不是你的。`,
    once: '同意后，这个任务里再用它就不问了，除非用到的内容不是你说的。',
    origins: {
      title: '这些内容的来源：',
      from: {
        asker: (name) => (name === '' ? '请求原文' : `${name} 的话`),
        records: () => '我的记录',
        others: (name) => (name === '' ? '这里的其他人' : `${name} 的话`),
        event: (source) => `一个事件（${source}）`,
        file: () => '附件',
        tool: (name) => `${name} 的结果`,
        web: (host) => `网页（${host}）`,
        task: () => '我自己的话',
        model: () => '我自己的话',
      },
      strange: (from, asker) =>
        asker === null ? `来自${from}，没有人这样要求` : `来自${from}，不是 ${asker} 说的`,
      more: (count) => `……还有 ${count} 项`,
    },
    hidden: (tool, isApproved) =>
      `这个频道的规则改过了：现在不能再用 **${tool}**，所以${isApproved ? '虽然批准了，' : ''}我没有用它。如果需要，管理员可以在频道规则里重新打开，然后再跟我说一次。`,
    notShown: (count) => `（还有 ${count} 个字符；完整内容见附件）`,
    approve: '批准',
    refuse: '拒绝',
    always: '以后都批准',
  },
  service: {
    asks: (server, text) => `**${server}** 想问你：\n\n${text}`,
    asksAlone: (server) =>
      `**${server}** 想问你本人的信息。问题我已单独发给你；请用下面的表单回答，别人看不到。`,
    aloneHow: '请在会话里我那条消息下面的表单中回答，这样别人看不到。',
    opens: (server) =>
      `**${server}** 想让你打开一个网页。链接我已单独发给你。打开前请先看清它通向哪里，完成后按第一个按钮。`,
    opened: '已完成',
    decline: '不回答',
    later: '以后再说',
    yes: '是',
    no: '否',
    skip: '留空',
    field: (name, at, count) =>
      count === 1 ? `**${name}**` : `**${name}**（第 ${at} 项，共 ${count} 项）`,
    again: (problem) => `这样填不行：${problem}。请再试一次。`,
    askerOnly: (name) => (name === null ? '只有提出请求的人可以回答。' : `只有 ${name} 可以回答。`),
    answeredAlone: '已私下回答',
    lost: (server, tool) =>
      `**${server}** 在等回答时我重启了，它的问题丢了，我不知道“${tool}”做到了哪一步。重做之前请先去那里看看。`,
  },
  signIn: {
    asks: '要替你使用它，需要你在那里登录。请打开链接登录，然后回到这里。',
    again: '你还没有登录，或者链接已过期。',
    page: (name, server, host) =>
      `${name} 让 Clew 使用“${server}”。只有你就是 ${name} 时才继续：你在 ${host} 登录的账号会用于 ${name} 的任务。`,
    go: '登录',
    usedUp:
      '这个链接已在另一个浏览器中打开，只能在一个浏览器里用。请在会话里按“已完成”，会得到新链接。',
    unknown: '这个链接已过期或已用过。请在会话里按“已完成”，或在“设置”页按“登录”，会得到新链接。',
    refused: (server) =>
      `你没有允许 Clew 使用“${server}”，什么都没有保存。请在会话里按“不回答”，Clew 会不用它继续。`,
    failed: (server) => `“${server}”没有完成登录。请在会话里按“已完成”再试一次。`,
    done: (server) => `已在“${server}”登录。请关闭本页，在会话里按“已完成”。`,
    shared: {
      page: (_, server, host) =>
        `Clew 会用你在 ${host} 登录的账号，替这里的所有人使用“${server}”。只有你能决定这件事时才继续。`,
      usedUp: '这个链接已在另一个浏览器中打开，只能在一个浏览器里用。请在得到链接的地方重新开始。',
      refused: (server) => `你没有允许 Clew 使用“${server}”，什么都没有保存。`,
      failed: (server) => `“${server}”没有完成登录。请在得到链接的地方重新开始。`,
      done: (server) =>
        `已为所有人在“${server}”登录。请关闭本页；如果有会话在等，请在那里按“已完成”。`,
    },
  },
  plan: {
    asks: '这是我的计划，目前还没有改动任何东西。可以照着做吗？',
    asksAgain: '你同意之后，计划有变化。可以照新的计划继续吗？',
    begins: (tool) => `第一步会用 **${tool}**：`,
    note: '也可以直接写要改什么。',
    approve: '同意',
    change: '修改',
    whatElse: '计划里要改什么？',
  },
  reminder: (question) => `这个问题还在等回答：${question}`,
  pausedReminder: (title) => `“${title}”还暂停着。说“继续”就接着做，说“停止”就结束。`,

  succeeded: (title, summary) => `任务已完成：${title}\n\n${summary}`,
  failed: (title, error) => `任务执行失败：${title}\n\n错误：${error}`,
  failedBecause: (error) => `任务执行失败。\n\n错误：${error}`,
  givenUp: (title, text) => `没能办成：${title}\n\n${text}`,
  runCanceled: (title) => `任务已取消：${title}`,
  titleSucceeded: (title) => `任务已完成：${title}`,
  made: (name, size) => `做好了 **${name}**（${size}）。`,
  titleFailed: (title) => `任务执行失败：${title}`,
  titleGivenUp: (title) => `任务没能办成：${title}`,
  titleCanceled: (title) => `任务已取消：${title}`,
  titleQuestion: (title) => `问题：${title}`,
  digest: (done, calls, failed) => {
    const items = done.length === 0 ? '步骤都走完了' : `已完成：${done.join('；')}`
    if (failed === 0) return done.length === 0 ? '都做完了，没有别的要说。' : `${items}。`
    if (failed >= calls)
      return `${done.length === 0 ? items : `我标记为完成的有：${done.join('；')}`}。不过试过的办法都没成功，麻烦看一下。`
    return `${items}。不过用了 ${calls} 次工具，有 ${failed} 次没成功，麻烦看一下。`
  },
  gather: {
    succeeded: (title, result) => `**${title}**\n${result}`,
    failed: (title, error) => `**${title}**：失败。${error ?? '原因不明。'}`,
    other: {
      canceled: (title) => `**${title}**：已停止。`,
      open: (title) => `**${title}**：没有按时完成。`,
    },
    missing: (count, size) => `${size} 项里有 ${count} 项没按时完成。`,
  },
  skipped: (items) => `没做的步骤：${items.join('；')}。`,
  slept: (words) => `已经等了 ${words}。`,
  duration(seconds) {
    if (seconds < 120) return `${seconds} 秒`
    if (seconds < 7200) return `${Math.round(seconds / 60)} 分钟`
    return `${Math.round(seconds / 3600)} 小时`
  },

  paused: '已暂停',
  doneSoFar: '已经做完的',
  nothingDone: '还没有',
  whyStopped: '为什么停下',
  nextStep: '接下来',
  resumeHint: '输入“继续”从这里接着做；需要改什么可以一起说，例如“继续，改到上海”。',
  usedUp: (why, again) => `${why}${again} 起我就能继续回答了；\`/todo\` 等命令现在照常能用。`,
  unlooked: (names) => `额度快用完了，${names.join('、')} 我没有看。`,
  usageWarning: (used, again) => `${used}用完后我会暂停到 ${again}；管理员可以提高上限。`,
  allowances: {
    person_day: (percent) => `你今天的额度已经用了 ${percent}%。`,
    channel_day: (percent) => `本频道今天的额度已经用了 ${percent}%。`,
    team_day: (percent) => `团队今天的额度已经用了 ${percent}%。`,
    person_month: (percent) => `你这个月的额度已经用了 ${percent}%。`,
    channel_month: (percent) => `本频道这个月的额度已经用了 ${percent}%。`,
    team_month: (percent) => `团队这个月的额度已经用了 ${percent}%。`,
  },
  periodAgain: (again) => `${again} 起可以继续；管理员可以提高上限。`,
  retryHint: '点“重试”或再提一次就会重新开始；做完的列在上面。',
  reasons: {
    steps: (_, count) => `已经做满 ${count} 步，到上限了，还没全部做完。`,
    rounds: '反复试的次数到上限了，还没全部做完。',
    iterations: (_, _steps, iterations) => `已经试了 ${iterations} 轮，还没做完。`,
    model_calls: '这个任务调用模型的次数到上限了。',
    tool_calls: '这个任务使用工具的次数到上限了。',
    tokens: '这个任务的模型用量（token）到上限了。',
    cost: '这个任务的费用到上限了。',
    time: '这个任务的时间到上限了。',
    person_day: (name) => `${name} 今天的额度已经用完。`,
    team_day: '团队今天的额度已经用完。',
    channel_day: '本频道今天的额度已经用完。',
    person_month: (name) => `${name} 这个月的额度已经用完。`,
    team_month: '团队这个月的额度已经用完。',
    channel_month: '本频道这个月的额度已经用完。',
    model_unavailable: '试了好几次都连不上语言模型。',
    model_unusable: '试了好几次，语言模型都没有给出可用的回答。',
    no_desk: '我现在联系不上编程智能体，请管理员检查一下。',
    unanswered: '一直没人回答我的问题。',
  },
  gaveUp: {
    no_plan: '这件事我试了三次都没排出计划。请换个说法，或点“重试”。',
    not_configured:
      '我还没有连上语言模型。管理员可以连接一个（“设置连接”页，或 `OPENAI_API_KEY`）。',
    attempts: '在同一步被中断了三次，我不再试了。点“重试”可以重新开始。',
  },
  standing: {
    goal: (goal) => `目标：${goal}`,
    steps: (done, total) => `已完成步骤：${done}/${total}`,
    current: (step) => `当前步骤：${step}`,
    iterations: (count) => `已经试了 ${count} 轮`,
  },
  remaining: (items) => `还没做：${items.join('；')}。`,

  forecast: {
    about: ({ low, about, high }) => `大约问模型 ${about} 次（${low}–${high}）`,
    past: (count, took) => `最近 ${count} 次：${figures(took)}`,
    outsized: (count, now, largest) =>
      `这次已经用了${figures(now)}，大约是最近 ${count} 次里最多一次的两倍（${figures(largest)}）。要继续吗？`,
    outsizedChoices: ['继续', '到此为止'],
  },
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
    because: (name, _text, added, dropped) => `${name} 改了要求：${stepsChanged(added, dropped)}`,
    changed: (added, dropped) => `计划有变：${stepsChanged(added, dropped)}`,
    changedBy: (name, added, dropped) =>
      added === 0 && dropped === 0
        ? `${name} 调整了计划的顺序`
        : `${name} 改了计划：${stepsChanged(added, dropped)}`,
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
      `✖ 第 ${step}/${total} 步“${title}”：任务到这里停止。${evidence}`,
  },
  stuck: (step, why) =>
    `“${step}”没做成，我没法往下做了${why === null ? '' : `（${why}）`}。要跳过它、停止，还是换个做法？请直接说。`,
  permission: '编程智能体想做下面这件事，可以吗？',
  stuckChoices: ['跳过这一步', '停止任务'],
  stuckWords: { skip: ['跳过'], stop: ['终止', '放弃', '停止任务', '终止任务'] },
}
