import { linesOf, patternOf } from './grammar.ts'

/**
 * Words of a deadline (C622): a pattern and the words of a day that stand in its place a line, in
 * this order.
 */
const steps = linesOf(String.raw`
^(?:due|by|before|until|till|(?:no|not) later than|at the latest(?: by| on)?)\s+ → 
\s{1,9}at the latest$ → 
(?<![\d一二三四五六七八九十两几半] ?个?半?(?:天|周|星期|礼拜|月(?<=个月)|年|小时|钟头|分钟|刻钟|工作日)|下班)[之以]?前$ → 
^(?:(?:with)?in )?this week$|^(?:本|这个?)(?:周|星期|礼拜)[之以]?内?$ → end of this week
^(?:the )?end of next week$|^下个?(?:周|星期|礼拜)[之以]?内$ → friday of next week
^(?:(?:with)?in )?(?:this month|the month)$|^(?:本|这个?)月[之以]?内?$|^(?:the )?month[- ]end$ → end of month
^(?:(?:with)?in )?this year$|^(?:今|本)?年[之以]?内$|^(?:the )?year[- ]end$ → end of the year
^(?:the )?(?:middle of (?:the|this) month|mid[- ]month)$|^本?月中旬?$ → 15th
^(?:the )?(?:beginning|start) of next month$ → 1st of next month
^(?:the )?end of (?=(?:MONTH)$) → last day of 
^(.{1,3}月)[底末]$ → $1最后一天
^(?:with)?in (?:the )?(?:next )?(?=(?:\d|an? |one |two |three |four |five |six )) → in 
^(.{1,8}(?:天|周|星期|礼拜|月|小时|工作日))[之以]?内$ → $1后
`).map((line) => {
  const [pattern = '', shown = ''] = line.split(' → ')
  return [patternOf(pattern, 'iu'), shown] as const
})

/** A deadline as the time at which it is over: `月底前`, `within a week`, `by month-end`. */
export const deadline = (typed: string) =>
  steps.reduce((text, [pattern, shown]) => text.replace(pattern, shown), typed.trim())
