import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { anna, newAppContext, SETTINGS, VISITOR } from '#test/components/app-context.ts'
import { beginSession } from '#web/session/session-life.ts'
import { browserSource } from './browser-source.ts'

const BLOG = new URL('http://this.site/blog')

async function closedBlog() {
  const asked = Promise.withResolvers<(closedPages: string[]) => void>()
  const app = await newAppContext(
    VISITOR,
    async (key) => {
      if (key !== 'GET /api/content/settings') throw new CallError({ httpStatus: 0, code: 'NO_REPLY', message: '' })
      const { promise, resolve } = Promise.withResolvers<string[]>()
      asked.resolve(resolve)
      return { ...SETTINGS, closedPages: await promise } as never
    },
    { settings: { closedPages: ['blog'] } },
  )
  app.queryClient.setQueryData(['settings'], app.page.settings)
  const isClosed = (page: string) => browserSource(app, app.api, BLOG, new AbortController().signal).isClosed(page)
  return { app, isClosed, asked: asked.promise }
}

test('2.11: a page that was closed to the visitor opens to whom it is open, at once after the sign-in', async () => {
  const { app, isClosed, asked } = await closedBlog()
  expect([await isClosed('blog'), await isClosed('faq')]).toEqual([true, false])
  beginSession(app, { token: 'second', user: anna })
  const closed = isClosed('blog')
  const answer = await asked
  answer([])
  expect(await closed).toBe(false)
})

test('2.11: it stays closed to everybody else, and so it does when settings cannot be loaded', async () => {
  const { app, isClosed, asked } = await closedBlog()
  beginSession(app, { token: 'second', user: anna })
  const closed = isClosed('blog')
  const answer = await asked
  answer(['blog'])
  expect(await closed).toBe(true)
  const lost = await newAppContext(VISITOR, () => Promise.reject(new Error('no reply')), {
    settings: { closedPages: ['blog'] },
  })
  lost.queryClient.setQueryData(['settings'], lost.page.settings)
  beginSession(lost, { token: 'second', user: anna })
  expect(await browserSource(lost, lost.api, BLOG, new AbortController().signal).isClosed('blog')).toBe(true)
})
