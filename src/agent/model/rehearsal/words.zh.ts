import type { Clause, Slot } from './request.ts'
import { shorten, spaced, trimEnd } from './text.ts'
import type { Day, Words } from './words.en.ts'

/** Every Chinese word that rehearsal shows. */

const short = (text: string): string => shorten(trimEnd(text.split(/：|:(?!\/\/)/)[0] ?? text), 40)
/** Without the “一个” of “一个日期”, which is said only the first time. */
const bare = (text: string): string =>
  short(text).replace(
    /^(?:[一这那][个份篇封张家间次场顿条项套本部款台辆束位名只首段]|一下|一些|个(?!人|体|性)|封|份(?!额)|篇(?!章)|几[个份篇家])/u,
    '',
  )
const first = (text: string): string => text.split(/[，,]/u)[0] ?? text
const weekdays = ['日', '一', '二', '三', '四', '五', '六']
const spoken = (day: Day): string => `${day.month}月${day.day}日周${weekdays[day.weekday] ?? ''}`
const iso = ({ year, month, day }: Day): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const numbers = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九', '十']
const number = (count: number): string => numbers[count] ?? String(count)
const list = (parts: readonly string[]): string => parts.join('、')

const classifiers: readonly [RegExp, string][] = [
  [/(?:文档|报告|合同|文件|方案|报价|简历|表格|清单|计划|材料|资料|稿子|问卷)$/u, '份'],
  [/(?:文章|论文|博客|新闻|稿件|作文)$/u, '篇'],
  [/(?:邮件|信|邀请函)$/u, '封'],
  [/(?:客户|候选人|供应商|嘉宾|房东|用户|学生|同事|应聘者|合作伙伴|投资人|记者)$/u, '位'],
  [/(?:图片|照片|幻灯片)$/u, '张'],
  [/(?:酒店|餐厅|公司|供应商)$/u, '家'],
  [/(?:书)$/u, '本'],
  [/(?:视频|录音|会议记录|记录)$/u, '段'],
]

/** “这份报告” → “哪份报告”, “两份报价” → “哪两份报价”. */
function which(phrase: string): string {
  const noun = phrase.replace(/^[这那该]/u, '')
  if (/^[一二两三四五六七八九十几\d]/u.test(noun) || /^[个份篇封张家间次场条项套本部款台辆位名段些]/u.test(noun))
    return `哪${noun}`
  const classifier = classifiers.find(([pattern]) => pattern.test(noun))?.[1] ?? '个'
  return `哪${classifier}${noun}`
}

export const words: Words = {
  item: (text) => shorten(trimEnd(spaced(text)), 60),
  findOut: ({ object }: Clause) => `了解${short(object)}${object.includes('的') ? '' : '的情况'}`,
  options: ({ object }) =>
    `收集${bare(first(object).replace(/^[二两三四五六七八九十\d]+[个份篇封张家间次场条项套本部款位名首]/u, ''))}的备选`,
  check: ({ object }) => `查看${short(object)}`,
  availability: ({ object }) =>
    /会$|会议|通话|面试|见面|电话|日程/u.test(first(object))
      ? `确认${bare(first(object))}的时间`
      : `查看${bare(first(object))}的余位和价格`,
  prices: ({ object }) => `比较${bare(object)}的价格`,
  chooseDate: ({ purpose }) => (purpose === null ? '选定日期' : `为${purpose}选定日期`),
  bookDate: () => '预订这个日期',
  draft: () => '拟好要说的话',
  gather: ({ object }) => `收集写${bare(first(object))}要用的内容`,
  proofread: () => '通读一遍',
  readText: () => '读一遍原文',
  lookUp: ({ object }) => `查一查${bare(first(object))}`,
  goThrough: ({ object }) => `通读${bare(object)}`,
  findings: () => '写下要点',
  needs: ({ object }) => `了解${bare(object)}需要些什么`,
  order: () => '排好先后顺序',
  planToList: () => '把计划记到待办',
  noteOne: (name) => `记下“${shorten(name, 40)}”`,
  noteAll: (count) => `记下这${number(count)}条待办`,
  noteNothing: () => '记下待办',
  checkList: () => '核对待办清单',
  lookUpQuestion: ({ text }) => `查一查“${shorten(text, 40)}？”`,
  writeAnswer: () => '写出回答',
  writeUp: () => '整理查到的内容',
  workOut: () => '想清楚需要做些什么',
  understand: (goal) => `弄清“${shorten(goal, 40)}”需要什么`,
  result: () => '整理结果',
  allowFor: (condition) => `照顾到“${shorten(condition, 40)}”`,
  nameFor: (name, purpose) => `${name}（${purpose}）`,
  again: (text, nth) => `${text}（之${number(nth) === '两' ? '二' : number(nth)}）`,
  aside: (parts) => (parts.length === 0 ? '' : `（${parts.join('；')}）`),

  question(slot: Slot): string {
    switch (slot.kind) {
      case 'place':
        return '哪个城市？'
      case 'destination':
        return '去哪里？'
      case 'date':
        return '定在哪一天？'
      case 'which':
        return `是${which(slot.phrase)}？`
      case 'recipient':
        return slot.phrase === '' ? '发给谁？' : `是${which(slot.phrase)}？`
      case 'people':
        return '一共多少人？'
      case 'amount':
        return '要多少？'
      case 'language':
        return '翻译成哪种语言？'
      case 'text':
        return '待办里写什么？'
    }
  },
  choices(slot, days) {
    switch (slot.kind) {
      case 'place':
      case 'destination':
        return ['上海', '杭州', '成都']
      case 'date':
        return days.map(spoken)
      case 'recipient':
        return slot.phrase === '' ? ['全体同事', '这个会话里的人'] : []
      case 'people':
        return ['5人', '10人', '20人']
      case 'amount':
        return ['10', '50', '100']
      case 'language':
        return ['英文', '中文', '日文']
      case 'which':
      case 'text':
        return []
    }
  },

  summaryTitle: '本会话的摘要',
  summary: (count, people) =>
    `本会话有 ${count} 条消息${people.length === 0 ? '' : `，参与者：${people.join('、')}`}。具体内容需要连接模型才能概括。`,

  outcome: {
    found: '查过了，结果见下文',
    nothingFound: '没有查到，只能以请求本身为准',
    noSearch: '这里没有搜索，所以没有查',
    judged: '走过了这一步；真正的判断需要模型',
    day: (day) => `建议${spoken(day)}（${iso(day)}），没有核对任何人的日程`,
    ordered: (id) => `排练不会在会话之外做任何事，所以记到了待办${id === null ? '' : ` ${id}`}`,
    notOrdered: '排练不会在会话之外做任何事，这里也没有待办清单',
    orderFailed: '没能记到待办',
    noted: (ids) => (ids.length === 0 ? '已记下' : `已记为 ${list(ids)}`),
    notedSome: (ids, failed) =>
      `${ids.length === 0 ? '都没能记下' : `${list(ids)} 已记下，${number(failed)}条没能记下`}`,
    noTodos: '这里没有待办清单',
    nothingToNote: '没有说要记什么',
    shown: '完成，结果见上文',
    showFailed: '待办清单没有照做，见上文',
    text: '走过了这一步；正文需要模型来写',
    thought: '走过了这一步',
    kept: '已照顾到',
    stuck: '没有完成，因为接连失败太多次',
  },

  report: {
    nothing: '这个请求里没有需要计划的事。',
    intro: (done, total) =>
      done === total
        ? total === 1
          ? '这一步已完成：'
          : `${number(total)}个步骤全部完成：`
        : `${number(total)}个步骤完成了${number(done)}个：`,
    todos: '记到待办的',
    step: (item, outcome) => (outcome === '' ? item : `${item}：${outcome}`),
    todo: (text, due) => (due === null ? text : `${text}，截止 ${due}`),
    failed: (text, reason) => `没能记下：${text}（${reason}）`,
    found: (query, result) => `“${query}”：${result}`,
    search: '搜索结果',
    noAnswer: (reason) => `没有结果：${reason}`,
    said: '大家说的',
    answered: (name, question, text) => `${name} 对“${question}”的回答：“${text}”。`,
    added: (name, text) => `${name} 补充：“${text}”。`,
    open: '还没有定下来',
    rehearsal:
      '这是一次排练：只演示 Clew 怎样计划、提问和推进，背后没有模型。设置 `OPENAI_API_KEY` 接上模型，就能得到真正的答案。',
  },

  reply: {
    greeting:
      '你好！我是 Clew。交给我一件事就行，比如“比较三个场地并为团建预订一个日期”：我会在这里列出计划，一步步推进，不清楚就问，最后汇报。我也管待办（`/todo`）。',
    about:
      '我是 Clew，在会话里接活：先列计划，一步步推进，不清楚就问，中途你写的话也会算进去，最后汇报。我管待办（`/todo`），配好搜索后能上网查，重启也不会丢东西。',
    thanks: '不客气。',
    acknowledged: '好的，有事随时说。',
    statement: '看到了。要我做什么就直接说，比如“用两句话总结一下”或“加到待办”。',
    unclear: '我不太确定要做什么。说成一件事就行，比如“找三家罗马的酒店”或“列出我的待办”。',
    going: (title) => `“${title}”已经在做了，完成后会在这里告诉你结果。`,
    onlyTalk: '现在我只能聊天：接活的功能关着。',
    cannot: '现在没法接这件事：允许的任务类型里没有它。',
    rehearsal: '现在是排练：没有接模型，我只按简单的规则回应。设置 `OPENAI_API_KEY` 就能得到真正的答案。',
  },

  withRehearsal: (text) => `${text}${words.reply.rehearsal}`,
  title: (text) => shorten(trimEnd(spaced(text)), 40),
  wait(seconds) {
    if (seconds % 3600 === 0) return `等待${seconds / 3600}小时`
    return seconds % 60 === 0 ? `等待${seconds / 60}分钟` : `等待${seconds}秒`
  },
  reminder: (what) => `提醒：${shorten(trimEnd(what), 40)}`,
  reason: {
    smallTalk: '闲聊，或是在问 Clew 自己。',
    statement: '消息里没有要做的事。',
    work: '消息里有要做的事。',
    wait: '消息要求等待。',
    going: '同样的任务还在进行。',
    notOffered: '没有提供这种任务类型。',
  },
}
