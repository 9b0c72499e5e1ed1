import { keep, recall } from './browser-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Theme that was chosen in this browser (C953). */
export const theme = (): Theme => themes.find((one) => one === recall('theme')) ?? 'system'

/** Draws the page in the chosen theme. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme()
}

export function chooseTheme(chosen: Theme): void {
  keep('theme', chosen)
  applyTheme()
}
