import { plain, verbIn } from './clause.zh.ts'
import { date } from './lexicon.zh.ts'
import type { Clause } from './request.ts'
import { trimEnd } from './text.ts'

/** What a sentence wants of the to-do list; `rest` is what else it says. */
export interface TodoReading {
  clauses: Clause[]
  rest: string
}

const todoWord = '(?:待办(?:事项|清单|列表)?|任务(?:清单|列表)|清单|todo|TODO|Todo|备忘录?)'
const amount = '(?:[一二两三四五六七八九十几\\d]{1,2}\\s*[个条项件])?'
const addTo = new RegExp(
  `^(.*?)(?:把|将)(.+?)(?:都|一起|分别)?(?:加|添加|加入|放|记|写|列|存)(?:到|进|入|在|上)?(?:我们?的)?${todoWord}(?:里面?|中|上)?(.*)$`,
  'u',
)
const onList = new RegExp(
  `^(?:在|往|给)?(?:我们?的)?${todoWord}(?:里面?|中|上)?(?:加|添加|记|写|新增|增加)(?:上|下|入|一下|${amount})?[：:，,\\s]*(.+)$`,
  'u',
)
const addNew = new RegExp(
  `^(?:(?:为|给)(.+?))?(?:添加|新建|新增|创建|增加|记下|写下|记录|建|加|准备|列出?|写|记|设|设置)(?:一下)?(?:以下)?${amount}(?:新的?)?(?:待办(?:事项)?|任务|todo)[：:，,\\s]*(.*)$`,
  'u',
)
const remind = /^(?:到时候?|记得)?(.*?)(?:提醒我们?|别忘了提醒我们?)(.*)$/u
const remember = /^(?:记得|别忘了|不要忘了?|记住)(.+)$/u
const jot = /^(?:记下来?|记一下|备忘|记录一下|写下|帮我记(?:一下|下)?)[：:，,\s]*(.+)$/u
const putDown = /^(?:把|将)(.+?)(?:都)?(?:记下来?|记一下|写下来?)$/u
const addThis = new RegExp(
  `^(?:添加|加入|加|新增|增加)[：:\\s]*(.+?)(?:到|进|入)(?:我们?的)?${todoWord}(?:里面?|中|上)?$`,
  'u',
)

/** Null when the sentence is about something else. */
export function readTodos(sentence: string): TodoReading | null {
  const text = trimEnd(plain(sentence))
  return existing(text) ?? added(text) ?? reminder(text)
}

/** “发布今天到期的事项”: a look at the list, without its name. */
const dueAsked = /^(?:发布?|发送|列出|汇报|报告|总结|看看?|告诉我们?|检查|整理)(?:一下|出)?.*(?:到期|逾期|过期)/u

function existing(text: string): TodoReading | null {
  if (dueAsked.test(text)) return command(text, listing(text))
  if (!/待办|任务|todo/iu.test(text)) return null
  const id = /#?\s*(\d+)\s*(?:号|条|项)?/u.exec(text)?.[1]
  if (id !== undefined && /(?:完成|做完|勾掉|划掉|搞定|标记)/u.test(text)) return command(text, `done ${id}`)
  if (id !== undefined && /(?:删除|删掉|移除|去掉)/u.test(text)) return command(text, `delete ${id}`)
  const about = /(?:关于|有关|包含|提到)(.+?)的?(?:待办|任务)/u.exec(text)?.[1]
  if (about !== undefined && /(?:查|找|搜|看|列)/u.test(text)) return command(text, `search ${about}`)
  const adds = /(?:加到|加入|添加到|记到|放到|放进|写到|加进|写进|列入|列进|记入|存到)|[：:].*\S/u.test(text)
  const asks =
    /(?:列出|列一下|查看|看看|看一下|看下|显示|有哪些|有什么|还有|打开|给我看|多少|读一下|汇报|有没有|是什么|检查|核对|查一下)/u.test(
      text,
    )
  const alone = new RegExp(`^(?:我们?的|今天的|所有的?)*(?:未完成的?)?${todoWord}$`, 'u').test(text)
  return !adds && (asks || alone) ? command(text, listing(text)) : null
}

function listing(text: string): string {
  const view = /过期|逾期|超期/u.test(text)
    ? 'overdue'
    : /今天|今日/u.test(text)
      ? 'today'
      : /即将|接下来|到期|本周|这周|下周/u.test(text)
        ? 'upcoming'
        : null
  const tag = /#([\p{L}\p{N}-]+)|标签(?:是|为)?[“"「]?([\p{L}\p{N}-]+?)[”"」]?的/u.exec(text)
  const name = tag?.[1] ?? tag?.[2]
  return ['list', view === null ? '' : `--view ${view}`, name === undefined ? '' : `--tag ${name}`]
    .filter((part) => part !== '')
    .join(' ')
}

const made = (kind: 'note' | 'todos', text: string): Clause => ({
  kind,
  text,
  object: text,
  purpose: /(?:为|给)([^，,：:]{2,20}?)(?:记下|准备|写下|添加|新建|列出?|创建|写|加|建)/u.exec(text)?.[1] ?? null,
  given: false,
  names: [],
  reminds: false,
  command: null,
})

const command = (text: string, line: string): TodoReading => ({
  clauses: [{ ...made('todos', text), command: line }],
  rest: '',
})

function noted(text: string, names: readonly string[], rest = '', reminds = false): TodoReading {
  return {
    clauses: [
      { ...made('note', text), reminds, names: names.map((name) => trimEnd(name)).filter((name) => name !== '') },
    ],
    rest,
  }
}

function added(text: string): TodoReading | null {
  const target = addTo.exec(text)
  if (target !== null) {
    const [, , what = '', behind = ''] = target
    const named = /^[：:]\s*(.+)$/u.exec(behind)?.[1]
    const rest = /^[，,]\s*(?:然后|再|并|接着)?(.+)$/u.exec(behind)?.[1] ?? ''
    return noted(
      text,
      namesIn(named ?? what.replace(/^(?:下面|以下|这)(?:几|[二两三四五六])?[个件条项](?:事情?)?[：:]?/u, '')),
      rest,
    )
  }
  const inList = onList.exec(text)?.[1] ?? addThis.exec(text)?.[1]
  if (inList !== undefined) return noted(text, namesIn(inList))
  const fresh = addNew.exec(text)
  if (fresh !== null) return noted(text, namesIn(fresh[2] ?? ''))
  const down = putDown.exec(text)?.[1] ?? jot.exec(text)?.[1]
  return down === undefined ? null : noted(text, namesIn(down))
}

function reminder(text: string): TodoReading | null {
  const asked = remind.exec(text)
  const [, before = '', behind = ''] = asked ?? []
  if (asked !== null && (before === '' || date.test(before)) && behind !== '')
    return noted(text, namesIn(withoutDate(behind)), '', true)
  const last = /^(.+?)[，,]\s*(?:请|到时候?|记得)?提醒我们?(?:一下)?$/u.exec(text)?.[1]
  if (last !== undefined) return noted(text, namesIn(last), '', true)
  const what = remember.exec(text)?.[1]
  return what === undefined ? null : noted(text, namesIn(withoutDate(what)), '', true)
}

const withoutDate = (text: string): string => text.replace(date, '').replace(/^[，,：:\s要去]+(?=\S)/u, '') || text

/** “面包、牛奶和鸡蛋” is three; “买牛奶和寄包裹” is two, because a verb follows. */
export function namesIn(text: string): string[] {
  const parts = text.split(/\s*[、；;，,]\s*(?:和|以及)?/u).filter((part) => part.trim() !== '')
  return parts.flatMap((part, index) => {
    const [left = '', ...others] = part.split(/(?:和|以及|及|还有)/u)
    const verbs =
      others.length > 0 &&
      others.every((other) => verbIn(other) !== null || /^[去交取还洗修送拿领签续缴浇喂遛]/u.test(other)) &&
      left !== ''
    const quoted = others.length > 0 && [left, ...others].every((one) => /^[\ue000-\ue1f3]$/.test(one.trim()))
    return quoted || (parts.length > 1 && index === parts.length - 1 && others.length > 0 && left !== '') || verbs
      ? [left, ...others]
      : [part]
  })
}
