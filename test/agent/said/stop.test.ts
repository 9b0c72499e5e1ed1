import { describe, expect, it } from 'vitest'
import { stopOrderIn } from '../../../src/agent/said/stop.ts'
import { countsOf, wordingsOf } from './wordings.ts'

const names = ['Ben Li', '小李']

/**
 * Lines of a thread: `stop` ends the task, `drop` and `hold` may be said to people as well, `doubtful` ones are asked about, and
 * `null` is for somebody else, about other work, or no order.
 */
const rows = wordingsOf({
  stop: `stop | Stop! | STOP. | /stop | stop it | please stop | stop please | Clew stop | Clew, stop |
hey Clew, stop | ok stop | no, stop | stop stop stop | stop now | stop this |
stop working on this | cancel that | halt | can you stop? | 🛑 |
Could you please stop this right now? | stop everything | cancel my request | ✋ |
abort the task | Sorry, stop | no wait stop | stop 😡 | :octagonal_sign: | cancel |
stop what you’re doing | call it off, please | you can stop now, thanks | terminate | 停 | 停止 |
取消 | 别做了 | 先停一下 | 请停下来 | 停一下吧 | 快停！ | 别做了，谢谢 | 取消任务 | 终止当前任务 | 麻烦你停一下 | 不对，停 | 那就取消吧 |
你可以停了吗？ | 请取消这个任务 | stop, wrong city | Stop! That is the old list. | cancel that, I found it |
stop because the date is wrong | 停，地址错了 | 取消吧，我弄错了 | stop! | Stop it. | Clew, please stop |
@Clew stop | stop right now | stop that | stop the task | stop this task | stop all |
cancel it | cancel this | cancel please | please cancel | cancel the task | abort | abort! |
abort it | kill it | kill the task | end it | end the task | terminate it | call it off |
quit working | stop working | stop doing that | stop this please | could you stop |
can you stop please | would you please stop | okay, stop | no stop | no, stop! | wait, stop |
stop stop | STOP!!! | ⛔ | ⏹ | you can stop | you can stop now | we can stop here |
let's stop here | let's stop | I said stop | stop, thanks | stop, sorry | sorry, please stop |
hey stop | stop immediately | stop at once | stoppp | can u stop | stop right there | cancle | stop for now | just stop | stop already |
i want you to stop | please stop working on it | stop the run | stop the job |
stop, wrong list | stop because it is wrong | stop, I found it | cancel, not needed | 停！ |
停下 | 停下来 | 请停止 | 停一下 | 先停 | 先停下 | 快停下 | 停吧 | 停了吧 | 不要做了 | 别弄了 | 别继续了 | 取消吧 | 请取消 | 取消这个任务 |
把任务取消 | 把这个取消 | 终止 | 终止任务 | 中止 | 中断 | 打住 | 住手 | 叫停 | Clew 停 | Clew，停 | 喂，停 | 停停停 | 停，不对 |
停，错了 | 取消，弄错了 | 马上停 | 立刻停止 | 现在停 | 麻烦停一下 | 能停吗 | 可以停了 | 你可以停了 | 别跑了 | 够了，停 | 不对，停下 | 停止执行 |
停止工作 | 结束任务 | 撤销任务 | 停掉 | 停掉它 | stop吧 | stop 一下`,
  drop: `never mind, I found it | forget it, it is too late | never mind | Nevermind. | forget it |
forget about it | enough | quit | that's enough | ok, never mind then | drop it please | 算了 |
disregard that | ignore this please | nvm, found it | dont bother | no need anymore |
算了吧 | 不用了，谢谢 | 不用啦 | 够了 | 不需要了 | 不用继续了`,
  hold: `hold on | no wait | hang on a sec | hold on a minute | waaait | wait! | Hang on please | pause | 等一下 | 等等 | 请稍等 | 暂停任务`,
  doubtful: `stop, and send what you have to Ben | stop. Use Porto | this is wrong, stop | stop? |
hold on, that is wrong | 停，用波尔图 | 取消了吗 | 中断了吗`,
  null: `stop it, Ben! | stop it Ben | Stop, Ana | stop it, ben | 停，小李 | Ben, stop it |
stop asking her | stop sending mails to Ana | don't stop | please don't stop now |
cancel the meeting | stop the server | Stop words are missing | the bus stop |
When it falls below 5 %, stop. | if Ben says no, cancel that | wait for Ben |
never mind the date, use Friday | wait, use the other room | did you stop? | why did it stop |
取消会议 | 别停 | 不要停 | 停车场在哪里 | 停止监控 | 如果下雨，取消 | 等小李回来 | ... | continue | Ben, stop |
stop sending mails | stop the music | please don't stop | do not stop | never stop |
non-stop | no need to stop | no need to cancel it | the bus stops here | stop by later | stop at 5 | stop at noon | cancel my flight |
cancel the order | cancel the booking | how do I stop it | how can I stop this? |
why did you stop? | did it stop? | when will you stop | if it rains, stop | stop if it rains |
stop when it is done | stop after step 3 | stop once you have 5 | until I say stop |
unless I say stop | end of story | end of the day | abort button is red |
halt and catch fire | quit smoking | kill the lights | stop loss is 5% | full stop |
one-stop shop | last stop | stop using Slack | stop asking | stop asking me |
stop posting here | stop by the office | say stop | I did not say stop | nobody said stop |
he said stop | cancel culture | cancelled | stopped | stopping | 取消订单 | 取消周五的会 | 停止发邮件给小李 |
不能停 | 停车场 | 停电了 | 小李，停 | 别问她了 | 别催了 | 如果下雨就停 | 下雨就停 | 等我说停 | 什么时候停 | 为什么停了 | 怎么停 | 没停 | 停不下来 |
公交停哪 | 谁取消的 | 停机维护 | 取消按钮 | 终止合同 | 别取消 | 不要取消 | 不用取消`,
})

describe('an order to stop', () => {
  it('is told from what is none in sixty wordings and more in each language (C330)', () => {
    const { english, chinese } = countsOf(rows)
    expect(english).toBeGreaterThanOrEqual(60)
    expect(chinese).toBeGreaterThanOrEqual(60)
    expect(rows.map(([line]) => [line, String(stopOrderIn(line, names))])).toEqual(rows)
  })

  it('is none in nothing, and in a long text (C330)', () => {
    for (const line of ['', `stop ${'x'.repeat(300)}`]) expect(stopOrderIn(line, names)).toBe(null)
  })
})
