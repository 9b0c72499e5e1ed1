import type { VNode } from 'preact'

/** Drawings in the colour of the text around them. None of them says anything that the words beside it do not. */
const drawing = (paths: VNode, size: number, box = 24): VNode => (
  <svg
    class="icon"
    width={size}
    height={size}
    viewBox={`0 0 ${box} ${box}`}
    fill="none"
    stroke="currentColor"
    stroke-width={box / 13}
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {paths}
  </svg>
)

/** The ball of thread: also the page's favicon. */
export const clew = (size: number): VNode =>
  drawing(
    <>
      <circle cx="30" cy="27" r="20" />
      <path d="M12 34C18 18 34 10 46 16" />
      <path d="M17 42C20 26 34 15 49.5 24" />
      <path d="M27 46.5C27 35 38 24 50 31" />
      <path d="M14 15C22 17 27 23 28 30" />
      <path d="M38 45.5C36 55 46 58 60 55" />
    </>,
    size,
    64,
  )

export const back = (): VNode => drawing(<path d="M15 5l-7 7 7 7" />, 20)
export const plus = (): VNode => drawing(<path d="M12 5v14M5 12h14" />, 18)
export const send = (): VNode => drawing(<path d="M12 19V5M6 11l6-6 6 6" />, 20)
export const clip = (): VNode =>
  drawing(
    <path d="M20 11l-8.500 8.500a5 5 0 0 1-7-7l9-9a3.300 3.300 0 0 1 4.700 4.700l-9 9a1.700 1.700 0 0 1-2.400-2.400l8-8" />,
    20,
  )
export const copy = (): VNode => drawing(<path d="M9 9h11v11H9zM5 15H4V4h11v1" />, 16)
export const stop = (): VNode => drawing(<rect x="7" y="7" width={10} height={10} rx="1.5" />, 18)
export const go = (): VNode => drawing(<path d="M8 5.500v13l10.500-6.500z" />, 18)
export const again = (): VNode => drawing(<path d="M19 12a7 7 0 1 1-2-5M19 4v4h-4" />, 18)
export const down = (): VNode => drawing(<path d="M6 9l6 6 6-6" />, 16)
export const up = (): VNode => drawing(<path d="M6 15l6-6 6 6" />, 16)
export const pen = (): VNode => drawing(<path d="M5 19l1-4.500L16.500 4l3.500 3.500L9.500 18z" />, 16)
export const tick = (): VNode => drawing(<path d="M5.500 12.500l4.200 4.200 8.800-9.400" />, 14)
export const cross = (): VNode => drawing(<path d="M7 7l10 10M17 7L7 17" />, 14)
export const person = (): VNode =>
  drawing(
    <>
      <circle cx="12" cy="8.500" r="3.800" />
      <path d="M4.500 20c1-4.200 4-6 7.500-6s6.500 1.800 7.500 6" />
    </>,
    18,
  )
export const clock = (): VNode =>
  drawing(
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.500V12l3 2" />
    </>,
    18,
  )
export const list = (): VNode =>
  drawing(<path d="M5 7l1.500 1.500L9 6M5 16l1.500 1.500L9 15M12.500 7.500H19M12.500 16.500H19" />, 18)
export const mark = (): VNode => drawing(<path d="M7 4.500h10V20l-5-4-5 4z" />, 18)
export const calendar = (): VNode => drawing(<path d="M5 6.500h14V19H5zM5 10.500h14M9 4.500v4M15 4.500v4" />, 18)
export const plug = (): VNode =>
  drawing(<path d="M9 4v5M15 4v5M6.500 9h11v3a5.500 5.500 0 0 1-11 0zM12 17.500V21" />, 18)
export const bars = (): VNode => drawing(<path d="M6 19v-6M12 19V5M18 19v-9" />, 18)
export const pause = (): VNode => drawing(<path d="M9 6v12M15 6v12" />, 18)
export const bin = (): VNode => drawing(<path d="M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12" />, 18)
export const find = (): VNode =>
  drawing(
    <>
      <circle cx="11" cy="11" r="5.500" />
      <path d="M15.500 15.500L20 20" />
    </>,
    18,
  )
export const dots = (): VNode => drawing(<path stroke-width={3} d="M5.500 12h.01M12 12h.01M18.500 12h.01" />, 20)
export const pin = (): VNode => drawing(<path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />, 14)
export const bell = (): VNode => drawing(<path d="M7 16V11a5 5 0 0 1 10 0v5l1.500 2h-13zM10.500 20.500h3" />, 16)
