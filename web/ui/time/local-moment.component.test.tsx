import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { anna, MEMBER, newAppContext } from '#test/components/app-context.ts'
import { LocalTime } from '#web/numbers/codes/local-time.tsx'
import { MessageTime } from '#web/numbers/codes/message-time.tsx'
import { AppProviders } from '#web/root.tsx'
import { LocalMoment } from './local-moment.tsx'

const AT = '2026-04-30T22:30:00.000Z'

/** Renders as on the server. `timeZone` is the reader's setting, `told` the browser's zone at an earlier visit. */
async function written(timeZone: string | null, told: string | null = null): Promise<string> {
  const user = { ...anna, settings: { ...anna.settings, time_zone: timeZone } }
  const api = () => Promise.reject(new Error('nothing is asked for'))
  const app = await newAppContext({ ...MEMBER, user }, api as never, { locale: 'ru', settings: {}, extent: 'all' })
  app.page.browserTimeZone = told
  const html = renderToString(
    <AppProviders app={app}>
      <LocalMoment at={AT} withYear />
      {' | '}
      <LocalTime at={AT} />
      {' | '}
      <MessageTime at={AT} className="" />
    </AppProviders>,
  )
  return html.replaceAll(/<[^>]*>/g, '')
}

test('N-17: times are in the page of the server where the account has a zone', async () => {
  expect(await written('Asia/Tokyo')).toMatch(/^1 мая 2026 г\., 07:30 \| 07:30 \| .*07:30$/)
  expect(await written('America/New_York')).toMatch(/^30 апр\. 2026 г\., 18:30 \| 18:30 \| .*18:30$/)
})

test('N-17: the zone of a browser is known from the visit before, and yields to that of the account', async () => {
  expect(await written(null)).toBe(' |  | ')
  expect(await written(null, 'America/New_York')).toMatch(/^30 апр\. 2026 г\., 18:30 \| 18:30 \| .*18:30$/)
  expect(await written('Asia/Tokyo', 'America/New_York')).toMatch(/07:30 \| 07:30/)
})
