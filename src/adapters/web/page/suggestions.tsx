import { Fragment } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

/** A choice in a list below or above the text box. */
export interface Suggestion {
  /** Key that identifies it, even if the list changes. */
  key: string
  name: string
  about: string
  /** Label of the group that it begins. */
  above?: string | undefined
  take: () => unknown
}

/**
 * Keyboard choice from a list while the focus stays in the box: the arrows move, Enter and Tab
 * take. When `about` changes, `first` becomes active; -1 for none until an arrow is pressed.
 */
export function useSuggestions(suggestions: readonly Suggestion[], about: string, first: number) {
  const id = useId()
  const [moved, move] = useState<{ about: string; to: string | undefined } | null>(null)
  const kept = moved?.about === about ? suggestions.findIndex(({ key }) => key === moved.to) : -1
  const active = kept >= 0 ? kept : Math.min(first, suggestions.length - 1)
  const moveTo = (at: number) => move({ about, to: suggestions.at(at)?.key })
  useEffect(
    () => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }),
    [id, active],
  )

  /** Handles a key; true if it was for the list. */
  function press(event: KeyboardEvent) {
    // During input by an input method, keys belong to it.
    if (suggestions.length === 0 || event.isComposing || event.keyCode === 229 || event.shiftKey)
      return false
    const { key } = event
    const least = key === 'Tab' ? 0 : -1
    const taken =
      key === 'Enter' || key === 'Tab' ? suggestions[Math.max(active, least)] : undefined
    if (taken !== undefined) taken.take()
    else if (key === 'ArrowDown') moveTo((active + 1) % suggestions.length)
    else if (key === 'ArrowUp') moveTo(Math.max(active, 0) - 1)
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

export function Suggestions(props: {
  id: string
  label: string
  active: number
  suggestions: readonly Suggestion[]
  /** Handles keys, if the list itself can have the focus. */
  onKey?: (event: KeyboardEvent) => void
}) {
  const { id, label, active, suggestions, onKey } = props
  return (
    // The focus stays in the box: on a phone, the keyboard would close with it.
    <div
      class="suggestions"
      role="listbox"
      id={id}
      aria-label={label}
      tabindex={0}
      onKeyDown={onKey}
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map(({ key, name, about, above, take }, at) => (
        <Fragment key={key}>
          {above !== undefined && (
            <p class="hint" aria-hidden>
              {above}
            </p>
          )}
          <button
            type="button"
            class="quiet wide"
            tabindex={-1}
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
        </Fragment>
      ))}
    </div>
  )
}
