import { plain } from './clause.zh.ts'
import type { Talk } from './request.ts'
import { trimEnd } from './text.ts'

/** What is said to Clew without wanting work of it. */
export function smallTalk(text: string): Talk | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'unclear'
  const said = trimEnd(
    text.replace(/^@?clew[\s，,：:！!]*/iu, '').replace(/[，,\s]*@?clew[\s。！!？?]*$/iu, ''),
  ).replace(/[？?\s]+$/u, '')
  if (said === '') return 'greeting'
  if (
    /^(?:你好|您好|嗨|哈喽|哈啰|大家好|早上好|下午好|晚上好|早安|早|在吗|在不在|有人吗|你好吗|最近怎么样|最近好吗|hi|hello|hey)(?:[啊呀吗，,！!\s]|大家|clew)*$/iu.test(
      said,
    )
  )
    return 'greeting'
  if (
    /^(?:非常|多|太)?(?:感谢|谢谢|谢了|谢啦|辛苦|多谢)(?:你|您|了|啦|大家|帮忙|你的帮助)*$|^(?:干得好|做得好|真棒|太好了|太棒了|不错|厉害)[啊呀了]*$/u.test(
      said,
    )
  )
    return 'thanks'
  if (
    /^(?:好的?|行|可以|嗯+|是的?|对的?|没问题|收到|明白了?|知道了|不用了?|算了|再见|拜拜|晚安|哈哈+|没事了?|了解|继续|取消|停|停止|ok|okay)[啊呀吧啦]*$/iu.test(
      said,
    )
  )
    return 'acknowledged'
  const asked = said.replace(/^(?:你好|您好|嗨|哈喽|大家好|早上好|下午好|晚上好)[啊呀，,。！!\s]*/u, '')
  if (
    /^(?:你|您|clew)(?:是谁|是什么|叫什么|能做什么|能干什么|会什么|会做什么|能帮我做什么|可以做什么|有什么功能|怎么用|是机器人吗|是真人吗|是不是|会不会|能不能|好厉害|在吗|在干嘛|懂|认识).*$/iu.test(
      asked,
    )
  )
    return 'about'
  if (
    /^(?:怎么(?:使)?用(?:你|clew)?|帮助|使用说明|介绍一下你自己|介绍你自己|自我介绍(?:一下)?|有什么功能|这是什么(?:机器人)?|说说你自己)$/iu.test(
      asked,
    )
  )
    return 'about'
  return /^(?:再来一次|再做一次|那个|这个|同样的|测试|为什么|什么|怎么|真的吗|啥|再来)$/u.test(said) ? 'unclear' : null
}

const numbers: Readonly<Record<string, number>> = {
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  半: 0.5,
  十五: 15,
  二十: 20,
  三十: 30,
}
const span = '(\\d{1,6}(?:\\.\\d)?|十五|二十|三十|[一两二三四五六七八九十半])\\s*(?:个)?(半)?(秒钟?|分钟?|小时|钟头)'
const waiting = new RegExp(
  `^(?:等待?|休眠|睡眠?|暂停|稍等|计时|倒计时|停)(?:一下)?(?:大约|大概)?${span}(?:再说|吧|左右)?$`,
  'u',
)
const later = new RegExp(`^(?:过)?${span}(?:之后|以后|后)(?:提醒|叫|告诉|通知|喊)我们?(?:一下)?[，,：:]?(.*)$`, 'u')

/** Whole seconds; null when it asks for more than waiting, or for longer than thirty days. */
export function wait(text: string): { seconds: number; what: string | null } | null {
  const said = trimEnd(plain(text))
  const match = waiting.exec(said) ?? later.exec(said)
  if (match === null) return null
  const [, count = '', half = '', unit = '', what = ''] = match
  const size = (/^\d/.test(count) ? Number(count) : (numbers[count] ?? 0)) + (half === '' ? 0 : 0.5)
  const seconds = Math.round(size * (unit.startsWith('秒') ? 1 : unit.startsWith('分') ? 60 : 3600))
  return seconds > 0 && seconds <= 30 * 24 * 3600 ? { seconds, what: what.trim() === '' ? null : what.trim() } : null
}
