/** As endpoints count: Latin text, numbers and signs, and Chinese each in their own way. */
export function tokensOf(body: unknown): number {
  const text = JSON.stringify(body)
  let wide = 0
  let plain = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const lower = code | 32
    if (code < 32 || code > 126) wide += 1
    else if (code === 32 || (lower >= 97 && lower <= 122)) plain += 1
  }
  return Math.ceil(plain / 4.3 + (text.length - plain - wide) / 2.2 + wide / 1.2)
}

/** What a step may bring: prose, rows of numbers, Chinese; 10,000 characters each. */
const results = [
  'The venue has a garden. ',
  '{"id":48213,"at":"2026-05-01T08:00","sum":1204.55},',
  '场地在湖边，可容纳四十人。',
]
export const resultOf = (step: number): string =>
  (results[step % 3] ?? '').repeat(1_000).slice(0, 10_000)
