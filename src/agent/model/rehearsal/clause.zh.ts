import { date, knownPlaces, verb, verbKinds } from './lexicon.zh.ts'
import type { Clause, Kind } from './request.ts'
import { trimEnd } from './text.ts'

/* The pieces of a Chinese clause, for all who read one. */

const leading = [
  /^@?clew[\s，,：:！!]*/iu,
  /^(?:你好|您好|嗨|哈喽|大家好|早上好|下午好|晚上好|早|hi|hello)[\s，,。！!~～啊呀]+(?=\S)/iu,
  /^(?:谢谢|好的|好|嗯|对了|那么|那|请问|顺便|另外|此外|还有|然后|接着|随后|之后|再|最后|首先|先|同时|并且|并|而且|以及|也|还要|还|就|其次|第[一二三四五][，,]?)[\s，,]*(?=\S)/u,
  /^(?:请|麻烦|劳驾|拜托)(?:你|您)?(?:们)?(?=\S)/u,
  /^(?:能不能|能否|可不可以|可以|是否可以|能|可否)(?:请)?(?:你|您)?(?=(?:帮|给|替|把|为))/u,
  /^(?:你|您)(?:能不能|能否|可不可以|可以|能)?(?=(?:帮|替|给我|去))/u,
  /^(?:帮忙|帮我们?|帮一下|帮|替我们?)(?:忙)?(?:一下)?(?=\S)/u,
  /^(?:我们?|咱们)?(?:想要|想|要|需要|希望|打算|得)(?:请)?(?:你|您)?(?=\S)/u,
  /^(?:我们?|咱们)(?:来|一起)(?=\S)/u,
  /^给我们?(?=(?:订|找|写|买|查|做|列|发|推荐|介绍|讲|说|翻译|总结|准备|安排|预|比|选|起|想|把))/u,
  /^(?:帮忙|去|来|赶紧|尽快|快)(?=(?:查|找|搜|比|写|订|买|发|把|给|为|预))/u,
]
const trailing = /(?:好吗|可以吗|行吗|行不行|好不好|谢谢(?:你|您|啦|了)?|拜托了?|多谢|吧|哦|啦|哈)[\s。！!？?~～]*$/u

/** The text without courtesies before and behind it. */
export function plain(text: string): string {
  let rest = text.trim()
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const pattern of leading) rest = rest.replace(pattern, '')
    rest = trimEnd(rest.replace(trailing, ''))
  }
  return /^(?:我们?|咱们)?(?:想|需要|要|想要)/u.test(text.trim()) &&
    verbIn(rest) === null &&
    /^[一两三几\d]/u.test(rest)
    ? `找${rest}`
    : rest
}

const opening = new RegExp(
  `^((?:${date.source})?[，,\\s]*(?:(?:为了?|给|跟|和|与|向|对|在|从|用|按照?|根据|就|把|将|以|每(?:天|周|月))[^，,。；]{1,40}?)?(?:${date.source})?[，,\\s]*(?:一起|统一|重新|简单|详细|简要|尽快|再|都|来|去)?)(${verb})(.*)$`,
  'su',
)

/** “这个问题处理一下”: the verb comes last. */
const closing = new RegExp(`^([^，,]{2,24}?)(${verb})(?:一下|一遍|下|掉)$`, 'u')

export interface Opening {
  /** What stands before the verb: “为团建”, “用一句话”. */
  before: string
  verb: string
  rest: string
}

/** The verb that a clause begins with; only a time or a prepositional phrase may stand before it. */
export function verbIn(text: string): Opening | null {
  const behind = closing.exec(text)
  if (behind !== null && opening.exec(text) === null)
    return { before: '', verb: behind[2] ?? '', rest: behind[1] ?? '' }
  const match = opening.exec(text)
  const [, before = '', found = '', rest = ''] = match ?? []
  if (match === null) return null
  // “计划书” and “安排表” are nouns.
  if (before === '' && /^(?:书|表|者|员|人|机|的|得|过|了(?!解)|完)/u.test(rest)) return null
  if (found === '说明' && /^[天年早晚日]/u.test(rest)) return null
  return { before, verb: found, rest }
}

/** “比较三个场地，并为团建预订日期” → two clauses. */
export function splitClauses(sentence: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const match of sentence.matchAll(
    /[，,]\s*(?:然后|接着|随后|之后|最后|并且|并|同时|再|以及|还要|也)?|\s*(?:然后|接着再?|随后|并且|并(?![发行购入联列存])|同时|以及|之后再|，?再(?![见次生]))/gu,
  )) {
    if (match.index < from || match.index === 0) continue
    const behind = plain(sentence.slice(match.index + match[0].length))
    const next = verbIn(behind)
    if (next === null || (next.rest === '' && next.verb.length === 1)) continue
    // “发消息，告诉他……” is one thing to do.
    if (/^(?:告诉|通知|转告|提醒)$/u.test(next.verb) && /^[他她]/u.test(next.rest)) continue
    parts.push(sentence.slice(from, match.index))
    from = match.index + match[0].length
  }
  return [...parts, sentence.slice(from)].map((part) => plain(part)).filter((part) => part !== '')
}

/** Null without a verb: that is background, not work. */
export function clauseOf(part: string, behind = ''): Clause | null {
  const text = trimEnd(part)
  const found = verbIn(text)
  if (found === null) return null
  const { before, verb: word, rest } = found
  const moved = /^(?:把|将)(.+)$/u.exec(before.trim())?.[1]
  const object = rest
    .replace(/^(?:一下|下(?![周个月半一午下次星])|出|了)(?=\S)/u, '')
    .replace(/^(?:给)?我们?(?=\S)/u, '')
    .replace(/给[^，,]{1,12}(?:住|用|吃|看|玩|穿|喝)$/u, '')
  const purpose = /^(?:[^为给]*)(?:为了?)([^，,]{2,20}?)[，,]?$/u.exec(before.trim())?.[1] ?? null
  return {
    kind: kindOf(word, text, object),
    text: text + behind,
    object: (moved ?? object.trim()) + behind,
    purpose,
    given: behind !== '',
    names: [],
    reminds: false,
    command: null,
  }
}

function kindOf(word: string, text: string, object: string): Kind {
  const kind = verbKinds.get(word) ?? 'other'
  if (/翻译[成为]/u.test(text)) return 'translate'
  if (kind === 'list' && word.startsWith('给') && /总结|概括|介绍|解释/u.test(object)) return 'explain'
  if (kind === 'list' && /名字|名称|口号/u.test(object)) return 'choose'
  if (kind === 'write' && /清单$|列表$/u.test(object)) return 'list'
  if (kind === 'write' && /(?:计划|行程|规划)$/u.test(object)) return 'plan'
  if (kind === 'book' && /^(?:安排)/u.test(word) && /活动|行程|日程|旅行|团建$/u.test(object)) return 'plan'
  if (kind === 'send' && word === '提醒') return 'send'
  return kind
}

/** The first place that a text names. */
export function placeIn(text: string): string | null {
  return (
    knownPlaces.exec(text)?.[0] ??
    /(?:在|去|到|位于)(\p{Script=Han}{2,4}(?:市|区|县|镇|路|街|村|岛|山|湖))/u.exec(text)?.[1] ??
    /(?:公司|学校|家|机场|车站|地铁站|办公室|市中心|海边|园区|这里|这儿)(?:附近|周边|旁边|楼下|里)|附近|线上|远程|在家|网上|市中心|海边/u.exec(
      text,
    )?.[0] ??
    /\b(?:in|at)\s+([A-Z][a-z]+)/u.exec(text)?.[1] ??
    null
  )
}
