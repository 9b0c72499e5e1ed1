import { slackChannel } from 'eve/channels/slack'

const { SLACK_BOT_TOKEN = '', SLACK_SIGNING_SECRET = '', SLACK_API_URL = '' } = process.env

/** As "Manage Slack credentials yourself" says; `queue` so that every message has a turn that finishes. */
export default slackChannel({
  api: { apiBaseUrl: SLACK_API_URL },
  credentials: { botToken: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET },
  turnPolicy: 'queue',
})
