import { useState } from 'preact/hooks'
import { present } from '../../../agent/domain/present.ts'
import type { ConversationLine } from '../views.ts'
import { usePage } from './context.ts'
import { IconButton, Modal } from './controls.tsx'
import { goingOn } from './dock.tsx'
import { typedInto } from './effects.ts'
import { cross } from './icons.tsx'
import { type Language, vocabularies } from './language.ts'
import { Refusal } from './list-page.tsx'
import { useArranging } from './manage.tsx'
import { recents } from './recent.ts'
import { placeName, type Route, routeOf, routeTo, workspaceOf } from './route.ts'
import { outcomeOf, useFound } from './search.tsx'
import { places } from './sidebar.tsx'
import { type Suggestion, Suggestions, useSuggestions } from './suggestions.tsx'

const most = 50
const newThread = placeName({ view: 'new' })

/**
 * C246: palette of places and actions, found by the beginnings of their words. “New thread” comes
 * first, recent choices below it.
 */
export function Palette() {
  const { client, words } = usePage()
  const [query, type] = useState('')
  const { suggestions: choices, found, problem } = useChoices(query)
  const suggestions = choices.map((choice) => ({
    ...choice,
    take: async () => {
      // Stays open only to show a refusal.
      if ((await choice.take()) !== false) client.leave('palette')
    },
  }))
  const { id, active, press, attributes } = useSuggestions(suggestions, query, 0)
  const { title, placeholder } = words.palette
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') press(event)
  }
  const statusOf = () => {
    if (suggestions.length > 0) return words.completion.count(suggestions.length)
    if (problem !== null) return false
    return found === null ? words.loading : outcomeOf(found, query, words)
  }
  return (
    <Modal name="palette" label={title} style="card palette">
      <div class="row unbroken">
        <input
          type="text"
          role="combobox"
          aria-expanded={suggestions.length > 0}
          aria-label={title}
          {...attributes}
          value={query}
          maxlength={200}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="go"
          onInput={typedInto(type)}
          onKeyDown={onKey}
        />
        <IconButton
          icon={cross}
          label={words.actions.close}
          press={() => client.leave('palette')}
        />
      </div>
      <Refusal text={problem} />
      {suggestions.length > 0 && (
        <Suggestions {...{ id, active, suggestions, label: title, onKey }} />
      )}
      <p class={suggestions.length > 0 ? 'hidden' : 'hint'} role="status">
        {statusOf()}
      </p>
    </Modal>
  )
}

/**
 * Choices that match the words: “New thread”, recent ones, then actions. Search results from the
 * server come last, so that nothing moves under a finger.
 */
function useChoices(query: string) {
  const { state, words } = usePage()
  const { own, problem } = useOwn()
  const { threadOf, places } = usePlaces()
  const search = useFound(query)
  const [order] = useState(recents)
  const rank = ({ key }: Suggestion) => {
    if (key === newThread) return -1
    return order.includes(key) ? order.indexOf(key) : order.length
  }
  const typed = query.toLowerCase().split(/\s+/)
  const isMeant = ({ name }: Suggestion) => typed.every((word) => name.toLowerCase().includes(word))
  const known = [...own, ...places, ...(state.conversations ?? []).map((line) => threadOf(line))]
  const first = known.filter(isMeant).sort((a, b) => rank(a) - rank(b))
  const sought = search.found?.words ?? ''
  const found = (search.found?.conversations ?? [])
    .map((line) => threadOf(line, sought))
    .filter(({ key }) => first.every((one) => one.key !== key))
  const here = state.route.view === 'new' ? null : placeName(state.route)
  const shown = [...first, ...found].filter(({ key }) => key !== here).slice(0, most)
  const groupOf = (one: Suggestion | undefined) => {
    if (one === undefined || one.key === newThread) return undefined
    return order.includes(one.key) ? words.palette.recent : words.palette.others
  }
  const suggestions = shown.map((one, at) => {
    const group = groupOf(one)
    return { ...one, above: group === groupOf(shown[at - 1]) ? undefined : group }
  })
  return { suggestions, found: search.found, problem: problem ?? search.problem }
}

/** Places that can be reached from anywhere. */
function usePlaces(): {
  threadOf: (line: ConversationLine, sought?: string) => Suggestion
  places: Suggestion[]
} {
  const { client, state, words } = usePage()
  const goTo = (route: Route, name: string, about = '', sought = ''): Suggestion => ({
    key: placeName(route),
    name,
    about,
    take() {
      client.seek(sought)
      client.go(route)
    },
  })
  const others = (Object.keys(vocabularies) as Language[]).filter(
    (language) => language !== state.language,
  )
  return {
    threadOf: ({ workspace, id, title, lastLine, found }, sought) =>
      goTo(
        routeTo(workspace, id, found?.messageId),
        title || words.untitled,
        found?.text ?? lastLine,
        sought,
      ),
    places: [
      goTo({ view: 'new' }, words.newThread),
      goTo({ view: 'needs' }, words.needs.title),
      ...places.map(({ view }) => goTo(routeOf(`#/${view}`), words[view].title)),
      goTo({ view: 'manual', name: null }, words.setup.manualTitle),
      {
        key: 'settings',
        name: words.actions.settings,
        about: '',
        take: () => client.show('settings'),
      },
      { key: 'keys', name: words.keys.title, about: '?', take: () => client.show('keys') },
      ...others.map((language) => ({
        key: language,
        name: vocabularies[language].languageName,
        about: words.settings.language,
        take: () => client.speak(language),
      })),
    ],
  }
}

/** Actions on the open thread and its tasks. */
function useOwn(): { own: Suggestion[]; problem: string | null } {
  const { client, state, words } = usePage()
  const { route, view } = state
  const workspace = workspaceOf(route)
  const { actions, problem } = useArranging(view, workspace)
  if (view === null) return { own: [], problem }
  const { live, unanswered } = goingOn(view, state)
  const { stop, stopWord, continue: goOn } = words.actions
  const about = view.title || words.untitled
  const runs = live.flatMap(({ id, title, status }): Suggestion[] => {
    const halt = {
      key: `stop ${id}`,
      name: stop,
      about: title,
      take: () => void client.control(id, 'cancel'),
    }
    const resume = {
      key: `go ${id}`,
      name: goOn,
      about: title,
      take: () => void client.control(id, 'continue'),
    }
    return status === 'paused' ? [halt, resume] : [halt]
  })
  const isThinking = unanswered !== undefined && workspace === undefined
  const callOff = { key: 'stop', name: stop, about, take: () => client.say(view.id, stopWord) }
  const arranging = actions.map(({ name, press }) => ({ key: name, name, about, take: press }))
  return { own: present([isThinking && callOff, ...runs, ...arranging]), problem }
}
