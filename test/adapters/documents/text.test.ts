import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { silent } from '../../support/silent.ts'

const documents = createDocuments({ clock: createSystemClock(), log: silent })
afterAll(() => documents.stop())
const read = (bytes: Uint8Array) =>
  documents.read({ kind: 'text', bytes }, AbortSignal.timeout(60_000))

/** Texts as their programs saved them: encoding, text, bytes in hexadecimal. */
const saved: readonly [string, string, string][] = [
  [
    'gb18030',
    '姓名;金额\r\n"王, 小明";5万\r\n',
    'd0d5c3fb3bbdf0b6ee0d0a22cdf52c20d0a1c3f7223b35cdf20d0a',
  ],
  [
    'gb18030',
    '会议纪要：下周三下午三点在北京开会。',
    'bbe1d2e9bccdd2aaa3bacfc2d6dcc8fdcfc2cee7c8fdb5e3d4dab1b1bea9bfaabbe1a1a3',
  ],
  ['big5', '姓名,金額\r\n王小明,五萬\r\n', 'a96da6572caaf7c3420d0aa4fda470a9fa2ca4adb8550d0a'],
  ['shift_jis', '氏名,金額\r\n山田,5万\r\n', '8e8196bc2c8be08a7a0d0a8e5293632c35969c0d0a'],
  ['euc-kr', '이름\t금액\n김철수\t50000\n', 'c0ccb8a709b1ddbed70ab1e8c3b6bcf60935303030300a'],
  [
    'windows-1252',
    'Name;Betrag\r\nMüller;4.250 €\r\n',
    '4e616d653b4265747261670d0a4dfc6c6c65723b342e32353020800d0a',
  ],
  [
    'windows-1252',
    'Café crème – déjà vu à l’été',
    '436166e9206372e86d6520962064e96ae020767520e0206c92e974e9',
  ],
  [
    'windows-1250',
    'Név;Összeg\nKovács Győző;4 250 Ft\nSzűcs Ödön;77\n',
    '4ee9763bd673737a65670a4b6f76e16373204779f57af53b34203235302046740a537afb637320d664f66e3b37370a',
  ],
  [
    'windows-1251',
    'Имя;Сумма\r\nИванов;4250\r\n',
    'c8ecff3bd1f3ecece00d0ac8e2e0edeee23b343235300d0a',
  ],
  [
    'windows-1254',
    'İsim;Tutar\nŞükrü Öztürk;4250\nGüneş Işık;77\n',
    'dd73696d3b54757461720adefc6b72fc20d67a74fc726b3b343235300a47fc6e65fe2049fefd6b3b37370a',
  ],
  ['windows-874', 'ชื่อ;จำนวน\nสมชาย ใจดี;42', 'aad7e8cd3ba8d3b9c7b90acac1aad2c220e3a8b4d53b3432'],
]

describe('a text without a mark of its encoding (C405)', () => {
  it.each(saved)('is read as %s: %j', async (encoding, text, hex) => {
    expect(await read(Buffer.from(hex, 'hex'))).toEqual({
      ok: true,
      readable: { title: '', text, encoding },
    })
  })

  it('is found in a page too', async () => {
    const bytes = Buffer.from('3c68313ebacfcdacd7dcbcdb3c2f68313eb8f6d4c2c4dacdead7f7', 'hex')
    expect(
      await documents.read({ kind: 'html', bytes }, AbortSignal.timeout(60_000)),
    ).toMatchObject({
      readable: { text: expect.stringContaining('合同总价') },
    })
  })

  it('is read as UTF-8 where a few of its bytes are damaged', async () => {
    const cut = Buffer.from('合同总价五万元'.repeat(10)).subarray(0, -1)
    expect(await read(cut)).toMatchObject({
      readable: { text: expect.stringMatching(/^合同总价五万元/), encoding: 'utf-8' },
    })
  })

  it('is refused by the name of an encoding that cannot be read, and as binary if it is no text', async () => {
    const utf32 = Buffer.from('fffe00004100000042000000', 'hex')
    expect(await read(utf32)).toEqual({ ok: false, problem: 'encoding', encoding: 'UTF-32' })
    for (const bytes of [Buffer.alloc(64), Buffer.from('GIF89a\0\x80\0\xff', 'latin1')])
      expect(await read(bytes)).toEqual({ ok: false, problem: 'binary' })
  })
})
