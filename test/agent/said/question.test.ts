import { describe, expect, it } from 'vitest'
import { asksBack } from '../../../src/agent/said/question.ts'
import { countsOf, wordingsOf } from './wordings.ts'

/** Replies to an open question: those that ask back decide nothing, the others are answers. */
const rows = wordingsOf({
  back: `why? | why not Monday? | Why Monday | what do you mean | what do you mean? |
which one is cheaper? | is it expensive? | Is it expensive | are there others? |
how long will it take | how long will it take? | does it work offline? | do you have a list? |
do they need chairs? | can you show me the options? | can we have both? | could you explain? |
should I ask Ben? | will it rain? | would Friday work? | was it approved? | were there more? |
has Ben answered? | have you asked Ana? | when is it? | where? | who? | who asked? | how? |
how come? | what? | huh? | hm? | really? | for whom? | for how many? | by when? |
in which room? | and the price? | what's the difference |
what's the difference between A and B? | explain | please explain | can you explain that |
tell me more | I don't understand | what happens if I say no? | what else? |
any other options? | anything cheaper? | do I need to answer? | did you check the list? |
isn't Monday a holiday? | aren't we four? | for what? | Which? | And what does it cost? |
Sorry, what? | Clew, what is this? | you mean Monday? | wdym | how so | pardon? | cost? | can u explain | 贵吗？ | 贵吗 | 多少钱？ | 为什么 | 为什么是周一？ |
什么意思 | 啥意思 | 你推荐哪个 | 你觉得呢？ | 哪个便宜？ | 有别的吗？ | 要多久 | 要多久？ | 谁问的？ | 在哪里？ | 什么时候？ | 怎么选？ | 有什么区别 | 有什么区别？ | 你问过小李吗？ |
是不是太贵了？ | 能解释一下吗？ | 解释一下 | 请问是哪个房间？ | 几个人？ | 需要我回答吗？ | 还有其他选择吗？ | 下雨怎么办？ | 周一不是放假吗？ | 真的吗？ |
啥？ | 什么？ | 你说的是周一吗？ | why not Friday, then | 为什么不周五呢？ | 周五可以吗？ |
为什么要问我 | 什么时候要答案？ | 几点开始？ | 周五不行吗？ | 哪一个近一点？ | 在哪儿？ | 小会议室坐得下吗？ |
怎么去？ | 谁决定的 | 我不懂你的意思 | 我不明白 | 能说清楚点吗？ | 请问周一几点？ | 这个要钱吗 | 需要带电脑吗？`,
  answer: `Monday | Monday? | What about Porto? | how about Friday | How about Friday? |
what if we take both? | why not! | Why not, take Porto | May 3? | Porto, please | the second one | 3 | whatever you like |
what Ben said | who cares, Porto | when Ben is back | where we met last time |
which ever is cheaper | whichever is cheaper | how Ben wants it | is fine | Friday is fine |
can do Friday | Will be Porto | Will Smith | May 3 | Do it on Friday | do both |
Have it in the small room | Has to be Monday | the one that is cheaper | as soon as possible |
Could be Porto | Should be Friday | Would be Porto | Does not matter | Doesn't matter |
Is Ben's choice | Are fine both | Can be either | No idea, you choose | maybe Friday? |
要不周五？ | 不如周五？ | 周五吧 | 周五？ | 小李说的那个 | 随便 | 都可以 | 哪个都行 | 什么都行 | 谁都可以 | 几点都行 | 周五怎么样？ | 第二个吧 |
怎么都行 | 多少都行 |
怎么方便怎么来 | 谁有空谁去 |
三个人 | 下午三点 | 不用了，周一吧 | 两个都要 | 周一 | 周五或者周六 | 周五，谢谢 | 大会议室 | 小李定 | 就周五 |
我都行 | 按上次的来 | 波尔图 | 第一个 | 越便宜越好`,
})

describe('a reply to a question', () => {
  it('asks back or answers, in sixty wordings and more in each language (C483)', () => {
    const { english, chinese } = countsOf(rows)
    expect(english).toBeGreaterThanOrEqual(60)
    expect(chinese).toBeGreaterThanOrEqual(60)
    expect(rows.map(([line]) => [line, asksBack(line) ? 'back' : 'answer'])).toEqual(rows)
  })
})
