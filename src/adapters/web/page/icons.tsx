import type { VNode } from 'preact'

/** Icon in the colour of the text around it. It adds nothing to the words beside it. */
const drawing = (path: string, size: number, box = 24, stroke = box / 13): VNode => (
  <svg
    class="icon"
    width={size}
    height={size}
    viewBox={`0 0 ${box} ${box}`}
    fill="none"
    stroke="currentColor"
    stroke-width={stroke}
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden
  >
    <path d={path} />
  </svg>
)

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

const ball = [
  circle(30, 27, 20),
  'M12 34C18 18 34 10 46 16',
  'M17 42C20 26 34 15 49.5 24',
  'M27 46.5C27 35 38 24 50 31',
  'M14 15C22 17 27 23 28 30',
  'M38 45.5C36 55 46 58 60 55',
].join('')

/** Ball of thread, which is also the page's favicon. */
export const clew = (size: number): VNode => drawing(ball, size, 64)

export const back = drawing('M15 5l-7 7 7 7', 20)
export const plus = drawing('M12 5v14M5 12h14', 18)
export const send = drawing('M12 19V5M6 11l6-6 6 6', 20)
const paperClip =
  'M20 11l-8.5 8.5a5 5 0 0 1-7-7l9-9a3.3 3.3 0 0 1 4.7 4.7l-9 9a1.7 1.7 0 0 1-2.4-2.4l8-8'
export const clip = drawing(paperClip, 20)
export const copy = drawing('M9 9h11v11H9zM5 15H4V4h11v1', 16)
export const stop = drawing('M8 7h8l1 1v8l-1 1H8l-1-1V8z', 18)
export const go = drawing('M8 5.5v13l10.5-6.5z', 18)
export const again = drawing('M19 12a7 7 0 1 1-2-5M19 4v4h-4', 18)
export const down = drawing('M6 9l6 6 6-6', 16)
export const up = drawing('M6 15l6-6 6 6', 16)
export const pen = drawing('M5 19l1-4.5L16.5 4l3.5 3.5L9.5 18z', 16)
const hand =
  'M4.5 10.5h3.5V20H4.5zM8 11l3.2-6.5a2 2 0 0 1 2.6 2.3L13 10h5.2a1.8 1.8 0 0 1 1.8 2.2l-1.300 6a2.3 2.3 0 0 1-2.3 1.8H8'
export const thumbUp = drawing(hand, 18)
export const thumbDown = <span class="upside-down">{thumbUp}</span>
export const tick = drawing('M5.5 12.5l4.2 4.2 8.8-9.4', 14)
export const cross = drawing('M7 7l10 10M17 7L7 17', 14)
export const person = drawing(`${circle(12, 8.5, 3.8)}M4.5 20c1-4.2 4-6 7.5-6s6.5 1.8 7.5 6`, 18)
export const clock = drawing(`${circle(12, 12, 8)}M12 7.5V12l3 2`, 18)
export const list = drawing('M5 7l1.5 1.5L9 6M5 16l1.5 1.5L9 15M12.5 7.5H19M12.5 16.5H19', 18)
export const mark = drawing('M7 4.5h10V20l-5-4-5 4z', 18)
export const calendar = drawing('M5 6.5h14V19H5zM5 10.5h14M9 4.5v4M15 4.5v4', 18)
export const plug = drawing('M9 4v5M15 4v5M6.5 9h11v3a5.5 5.5 0 0 1-11 0zM12 17.5V21', 18)
export const lines = drawing('M8 7h11M8 12h11M8 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01', 18)
export const bars = drawing('M6 19v-6M12 19V5M18 19v-9', 18)
export const help = drawing(
  `${circle(12, 12, 8)}M9.5 10a2.5 2.5 0 1 1 3.5 2.3q-1 .6-1 1.5M12 16.5h.01`,
  18,
)
export const bin = drawing('M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12', 18)
export const find = drawing(`${circle(11, 11, 5.5)}M15.5 15.5L20 20`, 18)
/** Arrow to a place, for the palette: the magnifier is the search's. */
export const jump = drawing('M4 12h10M10 7.5l4.5 4.5-4.5 4.5M19 5v14', 18)
export const dots = drawing('M5.5 12h.01M12 12h.01M18.5 12h.01', 20, 24, 3)
export const pin = drawing('M9 4h6l-1 6 3 3H7l3-3zM12 13v7', 14)
export const bell = drawing('M7 16V11a5 5 0 0 1 10 0v5l1.5 2h-13zM10.5 20.5h3', 16)
