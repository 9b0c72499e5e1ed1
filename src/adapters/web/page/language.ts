import { auditPage as auditEn } from '../../../locales/en/audit-page.ts'
import { page as en } from '../../../locales/en/page.ts'
import { upkeep as upkeepEn } from '../../../locales/en/upkeep.ts'
import { auditPage as auditZh } from '../../../locales/zh/audit-page.ts'
import { page as zh } from '../../../locales/zh/page.ts'
import { upkeep as upkeepZh } from '../../../locales/zh/upkeep.ts'
import { recall } from './browser-storage.ts'

export type Words = typeof en & { costs: typeof upkeepEn; audit: typeof auditEn }
export type Language = 'en' | 'zh'

/** Words of every language that the page speaks. */
export const vocabularies: Readonly<Record<Language, Words>> = {
  en: { ...en, costs: upkeepEn, audit: auditEn },
  zh: { ...zh, costs: upkeepZh, audit: auditZh },
}

/** Language chosen in this browser, else the browser's own. */
export function firstLanguage(): Language {
  const wanted = recall('language') ?? navigator.language
  return wanted.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** Plain text of a message, for screen readers and notifications (C193). */
export const spoken = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
