import { describe, expect, it } from 'vitest'
import { type Consent, consentIn } from '../../../src/agent/said/consent.ts'

const all = (lines: readonly string[], consent: Consent) =>
  expect(lines.map((line) => [line, consentIn(line)])).toEqual(lines.map((line) => [line, consent]))

/** Sixty wordings and more, in two languages. */
describe('an approval in words', () => {
  it('is given by clear consent (C331)', () => {
    all(
      [
        ...[
          'yes',
          'Yes.',
          'y',
          'ok',
          'Okay!',
          'yes please',
          'Yes, go ahead',
          'sure',
          'Sure, go for it',
        ],
        ...[
          'approved',
          'Approved, thanks',
          'lgtm',
          'LGTM 🚀',
          '👍',
          '👍🏽',
          ':+1:',
          ':thumbsup::skin-tone-3:',
        ],
        ...[
          'yep',
          'yeah, do it',
          'of course',
          'go ahead and send it',
          'sounds good to me'.slice(0, 11),
        ],
        ...[
          'fine by me',
          'please do',
          'please proceed',
          'I approve',
          'I agree',
          'no problem',
          'ok, thank you',
        ],
        ...[
          'Absolutely!',
          'Clew, yes',
          'works for me',
          'that works, thanks',
          '✅',
          '+1',
          'yes yes',
          'by all means',
        ],
        ...[
          '同意',
          '好的',
          '好的，谢谢',
          '可以',
          '可以的，去吧',
          '行',
          '行吧',
          '没问题',
          '批准',
          '是的',
          '嗯，同意',
          'OK，发吧',
          '就这样吧',
        ],
      ],
      'yes',
    )
  })

  it('is refused as clearly (C331)', () => {
    all(
      [
        'no',
        'No!',
        'nope',
        'no thanks',
        "please don't",
        "don't do it",
        'refuse',
        'Rejected.',
        'absolutely not',
        '👎',
        '❌',
      ],
      'no',
    )
    all(['不', '不行', '不同意', '拒绝', '不要', '别', '不可以，谢谢'], 'no')
  })

  it('is no yes where something else is wanted (C331)', () => {
    all(
      [
        ...[
          'yes but make it the small room',
          'yes, but only for two',
          'ok, if Ben agrees',
          'sure, instead of Ana ask Ben',
        ],
        ...[
          'no, use the small room',
          'no the other one',
          'make it Friday',
          'Use the other account',
          'wrong address',
        ],
        ...[
          'yes and also invite Ben',
          'change the date to 3 May',
          'send it to Ben instead',
          'not that one',
        ],
        ...[
          '可以，但是改到周五',
          '同意，不过用小会议室',
          '不行，改成周五',
          '换成小会议室',
          '好的，先发给我',
          '如果小李同意就可以',
        ],
      ],
      'otherwise',
    )
  })

  it('waits where nothing is decided (C331)', () => {
    all(
      [
        ...[
          'what does this do?',
          'What does this do',
          'why mail?',
          'is it safe',
          'ok?',
          'yes?',
          'who gets it',
        ],
        ...[
          'hm',
          'Hmm, let me check with Ben',
          'maybe',
          "I don't know yet",
          'one moment',
          'wait',
          'not sure',
          'later',
        ],
        ...[
          'yes, Ben has seen it',
          'interesting',
          'thanks',
          'Ana is on holiday',
          'yes no',
          'not yet',
          'tell me more',
        ],
        ...[
          '这是做什么的？',
          '为什么要发',
          '发给谁',
          '可以吗',
          '行不行',
          '好不好',
          '等一下',
          '我想想',
          '让我看看',
          '不确定',
          '谢谢',
        ],
      ],
      'undecided',
    )
  })
})
