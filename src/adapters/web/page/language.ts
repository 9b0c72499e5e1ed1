import { page as en } from '../../../locales/en/page.ts'
import { upkeep as upkeepEn } from '../../../locales/en/upkeep.ts'
import { page as zh } from '../../../locales/zh/page.ts'
import { upkeep as upkeepZh } from '../../../locales/zh/upkeep.ts'
import { recall } from './browser-storage.ts'

export type Words = typeof en & { costs: typeof upkeepEn }
export type Language = 'en' | 'zh'

/** Every language that the page speaks, named in its own words. */
export const vocabularies: Readonly<Record<Language, Words>> = {
  en: { ...en, costs: upkeepEn },
  zh: { ...zh, costs: upkeepZh },
}

/** The one that was chosen here, else that of the browser. */
export function firstLanguage(): Language {
  const wanted = recall('language') ?? navigator.language
  return wanted.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** What is heard or notified of a message: its words without their marks (C193). */
export const spoken = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
