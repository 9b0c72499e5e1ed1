import { useEffect, useRef, useState } from 'preact/hooks'
import { inSight } from './coloured.ts'
import { usePage } from './context.ts'
import { IconButton } from './controls.tsx'
import { copy as copyIcon, tick } from './icons.tsx'

/** True if the clipboard can be used: browsers allow it on https and on this machine only. */
const canCopy = 'clipboard' in navigator
const shownMs = 2_000

/** Button that copies a message's text as it was written (C243). */
export function CopyButton({ text }: { text: string }) {
  const { words } = usePage()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), shownMs)
    return () => clearTimeout(timer)
  }, [done])
  if (!canCopy || text === '') return null
  const press = () => void navigator.clipboard.writeText(text).then(() => setDone(true))
  return (
    <>
      <IconButton
        icon={done ? tick : copyIcon}
        label={words.copy.message}
        press={press}
        style="quiet square copy-message"
      />
      <span class="hidden" role="status">
        {done ? words.copy.done : ''}
      </span>
    </>
  )
}

/** Colours each block of code in a message, and adds a button above it that copies it (C243). */
export function useCode(html: string) {
  const { copy } = usePage().words
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const blocks = [...(ref.current?.querySelectorAll('pre[data-language]') ?? [])]
    for (const block of blocks) inSight.observe(block)
    return () => {
      for (const block of blocks) inSight.unobserve(block)
    }
  }, [html])
  useEffect(() => {
    if (!canCopy) return
    const buttons = [...(ref.current?.querySelectorAll('pre') ?? [])].map((block) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'quiet small copy-code'
      button.textContent = copy.code
      button.onclick = async () => {
        await navigator.clipboard.writeText(block.textContent ?? '')
        button.textContent = copy.done
        setTimeout(() => {
          button.textContent = copy.code
        }, shownMs)
      }
      block.before(button)
      return button
    })
    return () => {
      for (const button of buttons) button.remove()
    }
  }, [html, copy])
  return ref
}
