import { describe, expect, it } from 'vitest'
import { consentIn } from '../../../src/agent/said/consent.ts'
import { countsOf, wordingsOf } from './wordings.ts'

/**
 * What people say to a call that waits: `yes` and `no` are clear; `otherwise` wants something else; a question or a remark leaves
 * it `undecided`.
 */
const rows = wordingsOf({
  yes: `yes | Yes. | y | ok | Okay! | yes please | Yes, go ahead | sure | Sure, go for it | approved |
Approved, thanks | lgtm | LGTM 🚀 | 👍 | 👍🏽 | :+1: | :thumbsup::skin-tone-3: | yep |
yeah, do it | of course | go ahead and send it | sounds good | fine by me | please do |
please proceed | I approve | I agree | no problem | ok, thank you | Absolutely! | Clew, yes |
works for me | that works, thanks | ✅ | +1 | yes yes | by all means | 同意 | 好的 | 好的，谢谢 | 可以 |
可以的，去吧 | 行 | 行吧 | 没问题 | 批准 | 是的 | 嗯，同意 | OK，发吧 | 就这样吧 | yes, please go ahead | yes thanks |
yes, that's fine | yes thats fine | yeah, its ok | lets do it | im ok with it |
yes post it | yes, book it | order them please | ok, mail it | yeah sure | yup | sure, go ahead | sure thing | ok do it | okay, proceed |
alright | all right | alright, go ahead | fine | fine, do it | go | yes, you can |
you can go ahead | feel free | feel free to send it | go right ahead | sounds good to me |
looks good to me | looks good, thanks | great, thanks | perfect, send it | ship it 🚀 |
yes!!! | YES | yes :) | yesss | yes yes yes | Yes, approve | approve please |
I'm fine with it | fine for me | it's ok | that's okay | i'm ok with it |
no objections from me | 👍👍 | 👍 go | ok 👍 | Yes, go ahead :rocket: | lgtm 🔥 | approve :heart: | 👌 | ✅ approved | +1 from me | k |
absolutely, go ahead | definitely | please send it | please go ahead | please do it |
let's do it | do it now | yes, now | Yes, Clew | @Clew yes | go ahead, thanks! |
thanks, go ahead | thank you, yes | yes, of course | confirmed | granted | agreed |
i agree, thanks | yes, send it now | 好 | 好的，发吧 | 好，去做吧 | 可以，谢谢 | 可以发 | 可以执行 | 行，发吧 | 没问题，去吧 |
我同意 | 同意，谢谢 | 批准执行 | 准 | OK | ok的 | 嗯 | 嗯，好的 | 是的，发吧 | 对，发吧 | 发吧 | 发送吧 | 确认 | 确认执行 | 没意见 |
就这么办 | 就按这个来 | 按这个来 | 可以的，麻烦你了 | 好的没问题 | 行，就这样 | 通过 | 同意发送 | 好👌 | 👍好的 | 妥了 | 当然可以 | 允许 | 你发吧 |
no biggie | no issues, go ahead | I don't mind | I don't see why not | no rush, go ahead |
don't ask, just do it | yes, just this once | okkk | 不反对 | 不急，可以发 | 别急，发吧 | 不好意思，可以发 |
可以啊 | 好啦 | 好的好的 | 没有问题 | 麻烦发一下`,
  no: `no | No! | nope | no thanks | please don't | don't do it | refuse | Rejected. |
absolutely not | 👎 | ❌ | 不 | 不行 | 不同意 | 拒绝 | 不要 | 别 | 不可以，谢谢 | no, please don't |
don't send it | dont do it | no dont | never | no way | 别发 | 不可以`,
  otherwise: `ok but thats wrong | yes but make it the small room | yes, but only for two | ok, if Ben agrees |
sure, instead of Ana ask Ben | no, use the small room | no the other one | make it Friday |
Use the other account | wrong address | yes and also invite Ben | change the date to 3 May |
send it to Ben instead | not that one | 可以，但是改到周五 | 同意，不过用小会议室 | 不行，改成周五 | 换成小会议室 | 好的，先发给我 |
如果小李同意就可以 | yes, but not today | yes if Ben agrees | ok, but first ask Ana |
sure, once the list is done | yes, for two people only | not like this | not today |
please do not send | stop | cancel | use the small room | Friday instead | make it 3 people |
only if it is free | go ahead with the small room | approve only the first | 可以但是要改 |
好的，不过换成小会议室 | 同意，但是下周再发 | 先别发 | 改成周五 | 换一个 | 不太好 | 除了小李都可以 | 如果便宜就可以 | 只发给小李`,
  undecided: `yes dont | what does this do? | What does this do | why mail? | is it safe | ok? | yes? | who gets it |
hm | Hmm, let me check with Ben | maybe | I don't know yet | one moment | wait | not sure |
later | yes, Ben has seen it | interesting | thanks | Ana is on holiday | yes no | not yet |
Yeah right. | yeah, right | oh great | ok... | sure… | no rush | don't worry | cool it | 对了 | 嗯… | 不急 | 不好意思 |
tell me more | 这是做什么的？ | 为什么要发 | 发给谁 | 可以吗 | 行不行 | 好不好 | 等一下 | 我想想 | 让我看看 | 不确定 | 谢谢 |
good idea | hold on | why? | what is it? | is it expensive? | who gets this | how much is it |
are you sure | are you sure? | really? | hmm | let me think | I'll check | tomorrow |
is that ok with Ben? | yes or no? | do you mean the big room? | approved by whom? |
nobody approved this | I never said yes | Ben says yes | Ben said ok | she agreed |
should I say yes? | 等等 | 为什么 | 这是什么 | 贵吗 | 多少钱 | 你确定吗 | 是吗 | 真的吗 | 可不可以 | 小李同意了 | 我没同意 |
没说可以 | 还不行 | 好像不对 | 可能吧 | 再说吧 | 明天再说 | 知道了 | 收到 | 看到了 | 同意个什么`,
})

describe('an approval in words', () => {
  it('is given, refused, changed or left open by sixty wordings and more in each language (C331, C989)', () => {
    const { english, chinese } = countsOf(rows)
    expect(english).toBeGreaterThanOrEqual(60)
    expect(chinese).toBeGreaterThanOrEqual(60)
    expect(rows.map(([line]) => [line, consentIn(line)])).toEqual(rows)
  })
})
