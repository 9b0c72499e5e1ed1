import type { ElementHandle, Page } from 'playwright-core'

/** Everything that a press does something to. */
const pressable = 'button:enabled, a[href], summary, [role=option], label:has(input)'

/**
 * Words and icons of each kind of button, under the mouse and with the focus, whose contrast is too
 * small. `seen` holds the kinds that were looked at; a kind is its classes and its parent's.
 */
export async function paleUnderTheMouse(page: Page, seen: Set<string>): Promise<string[]> {
  const found: string[] = []
  for (const button of await page.$$(`:is(${pressable}):visible`)) {
    const kind = await kindOf(button)
    if (kind === null || seen.has(kind)) continue
    const box = await button.boundingBox()
    if (box === null) continue
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    // What lies below something else is looked at where it does not.
    if (!(await button.evaluate((one) => one.matches(':hover')))) continue
    seen.add(kind)
    found.push(...(await paleIn(button)).map((what) => `hover ${kind}: ${what}`))
    await page.mouse.move(0, 0)
    await button.evaluate((one) => one instanceof HTMLElement && one.focus({ preventScroll: true }))
    const isFocused = await button.evaluate((one) => one.matches(':focus-visible'))
    if (isFocused) found.push(...(await paleIn(button)).map((what) => `focus ${kind}: ${what}`))
  }
  return found
}

/** Kind of a button; null for one that is gone. It is brought into sight first. */
async function kindOf(button: ElementHandle<Element>): Promise<string | null> {
  return await button.evaluate((one) => {
    if (!one.isConnected) return null
    one.scrollIntoView({ block: 'nearest' })
    const of = (element: Element | null) =>
      `${element?.localName}.${element?.getAttribute('class') ?? ''}`
    const states = ['aria-pressed', 'aria-current', 'aria-selected', 'data-status', 'data-kind']
    return [
      ...[of(one.parentElement?.parentElement ?? null), of(one.parentElement), of(one)],
      ...states.flatMap((name) => one.getAttribute(name) ?? []),
    ].join(' ')
  })
}

/** Parts of an element that stand out too little: words at 4.5, icons and the focus ring at 3. */
async function paleIn(button: ElementHandle<Element>): Promise<string[]> {
  return await button.evaluate((one) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    if (canvas === null) return ['cannot be drawn']
    const luminance = (colours: string[]): number => {
      for (const colour of ['white', ...colours]) {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(
        (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4),
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element | null): string[] =>
      element === null
        ? []
        : [...behind(element.parentElement), getComputedStyle(element).backgroundColor]
    const contrast = (colour: string, under: string[]): number => {
      const [low = 0, high = 0] = [luminance([...under, colour]), luminance(under)].sort(
        (a, b) => a - b,
      )
      return (high + 0.05) / (low + 0.05)
    }
    const tooSmall = (what: string, colour: string, under: string[], least: number): string[] => {
      const ratio = contrast(colour, under)
      return ratio >= least ? [] : [`${what} ${colour} ${ratio.toFixed(2)}`]
    }
    const style = getComputedStyle(one)
    const parts = [one, ...one.querySelectorAll('*')].filter(
      (part) => part.checkVisibility() && part.closest('.hidden') === null,
    )
    const ring = one.matches(':focus-visible') && !one.matches('[role=option]')
    const around = behind(one.parentElement)
    return [
      ...parts.flatMap((part) => {
        const words = [...part.childNodes].some(
          (node) => node.nodeType === 3 && node.nodeValue?.trim(),
        )
        const colour = getComputedStyle(part).color
        if (words) return tooSmall(part.textContent.slice(0, 30), colour, behind(part), 4.5)
        return part.localName === 'svg' ? tooSmall('icon', colour, behind(part), 3) : []
      }),
      ...(ring && style.outlineStyle === 'none' ? ['no ring'] : []),
      ...(ring ? tooSmall('ring', style.outlineColor, around, 3) : []),
    ]
  })
}
