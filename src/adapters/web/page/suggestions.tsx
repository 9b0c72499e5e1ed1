import { useEffect, useId, useState } from 'preact/hooks'

/** Something to take from a list below or above the box that is written in. */
export interface Suggestion {
  name: string
  about: string
  take: () => void
}

/**
 * Which of them is active while the focus stays in the box: the arrows move, Enter and Tab take. `first` is active when `about` changes,
 * -1: none is, until an arrow is pressed.
 */
export function useSuggestions(suggestions: readonly Suggestion[], about: string, first: number) {
  const id = useId()
  const [moved, move] = useState<{ about: string; to: number } | null>(null)
  const active = Math.min(moved?.about === about ? moved.to : first, suggestions.length - 1)
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [id, active])

  /** Whether the key was meant for the list. */
  function press(event: KeyboardEvent): boolean {
    // Keys that pick a word of an input method belong to the input method.
    if (suggestions.length === 0 || event.isComposing || event.keyCode === 229 || event.shiftKey) return false
    const { key } = event
    const taken = key === 'Enter' ? suggestions[active] : key === 'Tab' ? suggestions[Math.max(active, 0)] : undefined
    if (taken !== undefined) taken.take()
    else if (key === 'ArrowDown') move({ about, to: (active + 1) % suggestions.length })
    else if (key === 'ArrowUp') move({ about, to: (active <= 0 ? suggestions.length : active) - 1 })
    else return false
    event.preventDefault()
    return true
  }
  const attributes = {
    'aria-autocomplete': 'list' as const,
    'aria-controls': suggestions.length === 0 ? undefined : id,
    'aria-activedescendant': active < 0 ? undefined : `${id}-${active}`,
  }
  return { id, active, press, attributes }
}

export function Suggestions(props: { id: string; label: string; active: number; suggestions: readonly Suggestion[] }) {
  const { id, label, active, suggestions } = props
  return (
    // The focus stays in the box, also on a phone, where the keyboard would go with it.
    <div
      class="suggestions"
      role="listbox"
      id={id}
      aria-label={label}
      tabindex={0}
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map(({ name, about, take }, at) => (
        <button
          type="button"
          class="quiet"
          tabindex={-1}
          key={at}
          role="option"
          id={`${id}-${at}`}
          aria-selected={at === active}
          onClick={take}
        >
          <span dir="auto">{name}</span>
          {about !== '' && (
            <small class="one-line" dir="auto">
              {about}
            </small>
          )}
        </button>
      ))}
    </div>
  )
}
