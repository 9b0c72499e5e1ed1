import { useState } from 'preact/hooks'
import { usePage } from './context.ts'
import { Button, Modal, SaveOrCancel } from './controls.tsx'
import { typedInto } from './effects.ts'
import { vocabularies } from './language.ts'
import { notifying, turnOff, turnOn } from './notifications.ts'
import { signedIn } from './signed-in.ts'
import { chooseTheme, theme, themes } from './theme.ts'

/** Name, language, theme and notifications of this browser's person. */
export function Settings() {
  const { client, state, words } = usePage()
  const [name, setName] = useState(state.person.name)
  const close = () => client.leave('settings')

  const save = (event: Event) => {
    event.preventDefault()
    if (signedIn.member === null) client.introduce(name)
    close()
  }
  return (
    <Modal name="settings">
      <form class="stack" onSubmit={save}>
        <h2 id="settings-title">{words.settings.title}</h2>
        <label class="small" for="name">
          {words.settings.name}
        </label>
        <input
          id="name"
          value={name}
          maxlength={80}
          autocomplete="name"
          placeholder={words.you}
          readOnly={signedIn.member !== null}
          onInput={typedInto(setName)}
        />
        <p class="hint">{words.settings.nameHint}</p>
        <fieldset class="row">
          <legend class="small">{words.settings.language}</legend>
          {(['en', 'zh'] as const).map((language) => (
            <label class="choice row" key={language}>
              <input
                type="radio"
                name="language"
                checked={state.language === language}
                onChange={() => client.speak(language)}
              />
              <span lang={language}>{vocabularies[language].languageName}</span>
            </label>
          ))}
        </fieldset>
        <ThemeChoice />
        <Notifications />
        <SaveOrCancel close={close} />
      </form>
      {signedIn.canSignOut && (
        <form class="row" method="post" action="/sign-out">
          <Button type="submit" class="quiet" label={words.signIn.out} />
          <Button
            type="submit"
            class="quiet"
            name="everywhere"
            value="1"
            label={words.signIn.outEverywhere}
          />
        </form>
      )}
    </Modal>
  )
}

function ThemeChoice() {
  const { theme: words } = usePage().words.settings
  const [chosen, choose] = useState(theme)
  return (
    <fieldset class="row">
      <legend class="small">{words.title}</legend>
      {themes.map((one) => (
        <label class="choice row" key={one}>
          <input
            type="radio"
            name="theme"
            checked={chosen === one}
            onChange={() => {
              chooseTheme(one)
              choose(one)
            }}
          />
          <span>{words.names[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** C247: switch for notifications. */
function Notifications() {
  const { client, words } = usePage()
  const [now, set] = useState(notifying)
  const { title, on, off, hints } = words.settings.notifications
  const press = async () => {
    if (now === 'on') turnOff()
    set(now === 'on' ? notifying() : await turnOn())
    client.refresh()
  }
  return (
    <fieldset>
      <legend class="small">{title}</legend>
      {now !== 'missing' && <Button onClick={press} label={now === 'on' ? off : on} />}
      <p class="hint" role="status">
        {hints[now]}
      </p>
    </fieldset>
  )
}
