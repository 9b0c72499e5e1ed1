import * as en from './en.ts'
import * as zh from './zh.ts'

export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]
/** Every word that people see, by language. Other locales get English. */
export type Texts = typeof en

const spoken: Record<Language, Texts> = { en, zh }

/** Language of a locale: `zh-Hans-CN` → `zh`; anything that is not Chinese → `en`. */
export function languageOf(locale: string): Language {
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** Returns an entry of a table of texts, of which some are made from values and others are the same always. */
export const worded = <A extends readonly unknown[]>(
  entry: string | ((...values: A) => string),
  ...values: A
) => (typeof entry === 'string' ? entry : entry(...values))

export const texts = (locale: string): Texts => spoken[languageOf(locale)]

/** Name that a person gave; null for what people of the page are called who gave none, in any language. */
export const givenName = (name: string) =>
  languages.some((language) => spoken[language].page.unnamed === name) ? null : name
