import * as en from './en.ts'
import * as zh from './zh.ts'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]
/** Every word that people see, by language. A locale that is not spoken here gets English. */
export type Texts = typeof en

const spoken: Record<Language, Texts> = { en, zh }

/** `zh-Hans-CN` → `zh`; anything else that is not Chinese → `en`. */
export function languageOf(locale: string): Language {
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const texts = (locale: string): Texts => spoken[languageOf(locale)]
