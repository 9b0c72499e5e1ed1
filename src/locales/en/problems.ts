/** Refusals of the API, which the page shows as they come. */
export const problems = {
  empty_text: 'There is no text to send.',
  text_too_long: (limit: number) =>
    `The text is too long: the limit is ${limit.toLocaleString('en')} characters.`,
  not_json: 'The body is not valid JSON.',
  bad_request: (field: string) =>
    `"${field}" is missing or not what it should be; /api/openapi.json describes it.`,
  unknown_fields: (fields: string) =>
    `Unknown: "${fields}"; /api/openapi.json lists the fields of this body.`,
  bad_host: (host: string) =>
    `“${host}” in the Host header is neither a name nor an address. Use the address that Clew printed when it started.`,
  unknown_choice: 'That is not one of the choices; send your own words as "text".',
  body_too_large: 'The request is too large: the limit is 1 MB.',
  unknown_file: (name: string) => `“${name}” is no longer here. Attach it again.`,
  unknown_workspace: (name: string) =>
    `Clew keeps nothing from a workspace “${name}”. Names look like slack:T024BE7LD, discord:81384788765712384 or web:dm.`,
  too_many_files: (limit: number) =>
    `You have attached ${limit} files without sending them. Send them, or try again tomorrow.`,
  wrong_content_type: 'The body must be sent as application/json.',
  not_signed_in: 'Sign in first, or send the token as "Authorization: Bearer …".',
  wrong_token: 'That is not the right token.',
  sign_in_expired:
    'This sign-in was started in another browser, was already used, or is older than 10 minutes. Start again here.',
  sign_in_refused: 'You did not allow the sign-in. Start again when you want to.',
  sign_in_failed:
    'The sign-in did not work: the platform gave no usable answer. Try again; if it keeps failing, tell an admin.',
  not_with_clew:
    'Clew is not in any of your workspaces or servers. Sign in with an account from one that has Clew.',
  not_on_list: 'You are not on the list of people who can use Clew. An admin can add you.',
  too_many_attempts: 'Too many wrong tokens. Try again in a minute.',
  wrong_host:
    'Clew only answers at this machine’s own names, such as localhost. Set WEB_TOKEN to use another name.',
  cross_site: 'Requests from other sites are refused.',
  setup_elsewhere:
    'To change settings, open this page on the machine that runs Clew (without a proxy), or sign in with the access token.',
  not_allowed: 'You are not allowed to do that here.',
  too_many_messages:
    'You have sent too many messages in the last minute. Wait a little, then send this one again.',
  connectors_only: 'Tasks are started here with the secret of a connector (docs/connectors.md).',
  run_type_not_allowed: (type: string) =>
    `This connector is not allowed to start tasks of the type "${type}".`,
  channel_not_allowed: 'This connector is not allowed to report in that channel.',
  unknown_hook: 'There is no source of events with this name. CONNECTORS_FILE names them.',
  wrong_signature:
    'The signature or secret of this event is missing, wrong or too old. It belongs in a header, never in the address, and is made over the body exactly as it is sent.',
  event_too_large: 'This event is larger than 1 MB, so it was not taken.',
  event_not_json: 'An event is JSON: set the content type of the webhook to application/json.',
  too_many_events:
    'That is more events than a rule takes in a minute, so this one was not taken. Send it again in a minute.',
  too_many_runs:
    'This connector has started too many tasks in the last minute. Send this again a little later.',
  group_closed:
    'The report on this group has already been sent; use another id for the next group.',
  group_full: 'This group is full: it has as many members as it was opened for.',
  group_differs: 'This group was opened with another size or another place for its report.',
  unknown_conversation: 'This thread doesn’t exist or was deleted.',
  conversation_busy:
    'A task is still running in this thread. Stop it or wait until it ends, then delete the thread.',
  unknown_message: 'That message isn’t yours or no longer exists.',
  not_newest_message: 'You sent something after this message, so it stays as it is.',
  unknown_question: 'That question doesn’t exist any more.',
  unknown_run: 'That task doesn’t exist or was deleted.',
  unknown_schedule: 'That schedule doesn’t exist or was deleted.',
  unknown_memory: 'Nothing with that name is remembered here.',
  not_found: 'There is nothing at this address.',
  already_answered: (who: string, answer: string) =>
    `This question was already answered: ${who} chose “${answer}”.`,
  run_ended: (status: string) => `This task has already ended (${status}).`,
  run_not_paused: (status: string) => `Only a paused task can be continued; this one is ${status}.`,
  run_still_live: (status: string) =>
    `Only a task that has ended can be tried again; this one is ${status}.`,
  run_without_thread:
    'This task has no thread yet. You can change it once Clew has posted something.',
  run_not_over: (status: string) =>
    `Only a paused or ended task can be restarted; this one is ${status}.`,
  no_plan: 'This task has no plan, so that isn’t possible.',
  changed_meanwhile:
    'Somebody else has just changed this, so your change was not saved. Cancel, look at what it says now, and change it again.',
  thread_opening: 'Clew is opening this thread. Send it again in a moment.',
  store_unavailable: {
    asked: 'The database cannot be reached right now. Try again in a moment.',
    nothing:
      'The database cannot be reached right now. Nothing was saved: send it again in a moment.',
    perhaps:
      'The database did not say whether this was saved. Send it again with the same clientMessageId: it counts once, however often it arrives.',
  },
  internal: 'Something went wrong here. It has been logged.',
}
