import { describe, expect, it } from 'vitest'
import { stopOrderIn } from '../../../src/agent/said/stop.ts'

const names = ['Ben Li', '小李']
const readAs = (text: string) => [text, stopOrderIn(text, names)]
const all = (lines: readonly string[], order: ReturnType<typeof stopOrderIn>) =>
  expect(lines.map(readAs)).toEqual(lines.map((line) => [line, order]))

/** Sixty wordings and more, in two languages. */
describe('an order to stop', () => {
  it('is read without politeness, the name, and what stands around it (C330)', () => {
    all(
      [
        ...[
          'stop',
          'Stop!',
          'STOP.',
          '/stop',
          'stop it',
          'please stop',
          'stop please',
          'Clew stop',
        ],
        ...['Clew, stop', 'hey Clew, stop', 'ok stop', 'no, stop', 'stop stop stop', 'stop now'],
        ...['stop this', 'stop working on this', 'cancel that', 'halt', 'can you stop?', '🛑'],
        ...['Could you please stop this right now?', 'stop everything', 'cancel my request', '✋'],
        ...[
          'abort the task',
          'Sorry, stop',
          'no wait stop',
          'stop 😡',
          ':octagonal_sign:',
          'cancel',
        ],
        ...[
          'stop what you’re doing',
          'call it off, please',
          'you can stop now, thanks',
          'terminate',
        ],
        ...[
          '停',
          '停止',
          '取消',
          '别做了',
          '先停一下',
          '请停下来',
          '停一下吧',
          '快停！',
          '别做了，谢谢',
        ],
        ...[
          '取消任务',
          '终止当前任务',
          '麻烦你停一下',
          '不对，停',
          '那就取消吧',
          '你可以停了吗？',
          '请取消这个任务',
        ],
      ],
      'stop',
    )
  })

  it('says why and stays one (C330)', () => {
    all(
      [
        'stop, wrong city',
        'Stop! That is the old list.',
        'cancel that, I found it',
        'stop because the date is wrong',
      ],
      'stop',
    )
    all(['停，地址错了', '取消吧，我弄错了'], 'stop')
    all(['never mind, I found it', 'forget it, it is too late'], 'drop')
  })

  it('may also be given to people or to a question (C330)', () => {
    all(
      [
        ...[
          'never mind',
          'Nevermind.',
          'forget it',
          'forget about it',
          'enough',
          'quit',
          "that's enough",
        ],
        ...[
          'ok, never mind then',
          'drop it please',
          '算了',
          '算了吧',
          '不用了，谢谢',
          '够了',
          '不需要了',
        ],
      ],
      'drop',
    )
    all(
      ['hold on', 'no wait', 'wait!', 'Hang on please', 'pause', '等一下', '等等', '请稍等'],
      'hold',
    )
  })

  it('is asked about where it says more than that (C330)', () => {
    all(
      ['stop, and send what you have to Ben', 'stop. Use Porto', 'this is wrong, stop', 'stop?'],
      'doubtful',
    )
    all(['hold on, that is wrong', '停，用波尔图'], 'doubtful')
  })

  it('is none where it is for somebody else, for other work, or no order (C330)', () => {
    all(
      [
        ...[
          'stop it, Ben!',
          'stop it Ben',
          'Stop, Ana',
          'stop it, ben',
          '停，小李',
          'Ben, stop it',
        ],
        ...['stop asking her', 'stop sending mails to Ana', "don't stop", "please don't stop now"],
        ...['cancel the meeting', 'stop the server', 'Stop words are missing', 'the bus stop'],
        ...['When it falls below 5 %, stop.', 'if Ben says no, cancel that', 'wait for Ben'],
        ...[
          'never mind the date, use Friday',
          'wait, use the other room',
          'did you stop?',
          'why did it stop',
        ],
        ...[
          '取消会议',
          '别停',
          '不要停',
          '停车场在哪里',
          '停止监控',
          '如果下雨，取消',
          '等小李回来',
        ],
        ...['', '...', 'continue', `stop ${'x'.repeat(300)}`],
      ],
      null,
    )
  })
})
