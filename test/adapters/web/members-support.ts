import { expect } from 'vitest'
import type { FakeSlack } from '../../fakes/slack/server.ts'
import { ask } from './support.ts'

/** Where people reach the page: a proxy before it speaks TLS. */
export const publicUrl = 'https://clew.test'
export const token = 'a-long-and-random-token'
export const operator = { authorization: `Bearer ${token}` }

/** Settings of a Clew whose page people sign in to with this Slack. */
export const slackSettings = (slack: FakeSlack): Record<string, string> => ({
  ...{ WEB_URL: publicUrl, WEB_TOKEN: token, SLACK_API_URL: slack.apiUrl, SLACK_PROGRESS_MS: '10' },
  ...{ SLACK_BOT_TOKEN: slack.state.bot.token, SLACK_APP_TOKEN: slack.state.appToken },
  ...{ SLACK_CLIENT_ID: 'client', SLACK_CLIENT_SECRET: 'secret' },
})

/** A browser, as far as it matters here: it keeps cookies and follows no redirect by itself. */
export function browserAt(url: string) {
  const jar = new Map<string, string>()
  const visit = async (
    address: string,
    method: 'GET' | 'POST' = 'GET',
    form?: Record<string, string>,
  ) => {
    const to = new URL(address, publicUrl)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url + to.pathname + to.search, {
      ...{ method, redirect: 'manual' as const },
      headers: { cookie, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.1' },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    const set = response.headers.getSetCookie()
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return {
      status: response.status,
      to: response.headers.get('location') ?? '',
      set,
      text: await response.text(),
    }
  }
  return {
    jar,
    visit,
    /** What shows who this is. */
    headers: () => ({
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-forwarded-proto': 'https',
    }),
  }
}
export type Browser = ReturnType<typeof browserAt>

export async function signInWithSlack(
  url: string,
  slack: FakeSlack,
  user: string,
): Promise<Browser> {
  slack.state.authorizations.redirects.add(`${publicUrl}/sign-in/slack/back`)
  const browser = browserAt(url)
  const { to } = await browser.visit('/sign-in/slack')
  expect(await browser.visit(slack.state.authorizations.agree(to, user))).toMatchObject({
    status: 303,
    to: '/',
  })
  return browser
}

export const get = async (url: string, path: string, headers: Record<string, string>) =>
  await ask(url + path, 'GET', undefined, headers)
