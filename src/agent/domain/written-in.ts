/**
 * The locale of what a person wrote: where a text is plainly in another of Clew's languages than
 * `locale` says, that language, else `locale` (C88). Commands are in no language.
 */
export function writtenIn(text: string, locale: string): string {
  const said = text.trim()
  if (/^[/!]/.test(said) || /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(said))
    return locale
  const han = (said.match(/\p{Script=Han}/gu) ?? []).length
  const words = (said.match(/[A-Za-z]{2,}/g) ?? []).length
  const isChinese = locale.toLowerCase().startsWith('zh')
  if (!isChinese && han >= 2 && han > words) return 'zh'
  return isChinese && han === 0 && words >= 4 ? 'en' : locale
}
