import { Composer } from './composer.tsx'
import { usePage } from './context.ts'
import { clew } from './icons.tsx'
import { Bar } from './list-page.tsx'
import { UnsentMessage } from './message.tsx'
import { Places } from './sidebar.tsx'

/** Page to begin a thread: an introduction to Clew and three examples. */
export function Start() {
  const { client, state, words } = usePage()
  const first = state.unsent.filter(
    ({ kind, conversationId }) => kind === 'message' && conversationId === null,
  )
  const offer = state.health?.model.offer
  // Examples for the stand-in are offered only if it answers.
  const examples =
    state.health?.model.rehearsal === true
      ? [words.rehearsal.example, ...words.examples.slice(0, 2)]
      : words.examples
  const threads = (state.conversations?.length ?? 0) > 0
  return (
    <section class="thread start">
      {threads && <Bar title={words.newThread} onlySmall />}
      <div class="scroll">
        <div class="welcome">
          {!threads && (
            <div class="only-small">
              <Places />
            </div>
          )}
          <div class="logo">{clew(72)}</div>
          <h1>Clew</h1>
          <p class="promise">{words.promise}</p>
          <p class="explanation">{words.explanation}</p>
          {first.length > 0 ? (
            <ol class="timeline">
              {first.map((unsent) => (
                <UnsentMessage key={unsent.id} unsent={unsent} />
              ))}
            </ol>
          ) : (
            <>
              <h2 class="small">{words.tryThis}</h2>
              <ul class="examples stack">
                {examples.map(({ title, text }) => (
                  <li key={text}>
                    <button
                      type="button"
                      class="wide"
                      onClick={() => client.suggest({ draft: 'new', text })}
                    >
                      <small>{title}</small>
                      <span>{text}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
          {state.health?.model.rehearsal === true && (
            <div class="notice waiting small">
              <strong>{words.rehearsal.badge}</strong> {words.rehearsal.text}{' '}
              {offer === undefined ? (
                words.rehearsal.how
              ) : (
                <>
                  {words.rehearsal.local(offer.server)}
                  <pre>
                    OPENAI_BASE_URL={offer.url}
                    {'\n'}OPENAI_MODEL={offer.model}
                  </pre>
                </>
              )}
            </div>
          )}
        </div>
      </div>
      <Composer
        draft="new"
        placeholder={words.composer.first}
        send={(text, files) => client.say(null, text, files)}
      />
    </section>
  )
}
