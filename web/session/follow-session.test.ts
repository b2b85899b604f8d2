import { expect, onTestFinished, test } from 'vitest'
import type { Api } from '#contract/calls/calls.ts'
import { anna, MEMBER, newAppContext, VISITOR } from '#test/components/app-context.ts'
import type { PageData } from '#web/house/page-data.ts'
import { createStore } from '#web/house/stores/store.ts'
import type { Pages } from '#web/navigation/pages.ts'
import { expireSession, heedNews } from './follow-session.ts'
import { beginSession, isLeaving, renewSession, signOut } from './session-life.ts'

/** Opens a tab of the browser. Returns its app context, its URL and the URLs to which it was sent. */
async function openTab(session: PageData['session'], path = '/', api?: Api) {
  const app = await newAppContext(session, api)
  const url = new URL(path, 'http://this.site')
  const moves: string[] = []
  const pages = {
    get: () => ({ location: { pathname: url.pathname, search: url.search } }),
    next: createStore(null),
    go: async (to: string) => {
      moves.push(to)
    },
    reload: async () => {
      moves.push('again')
    },
  } as unknown as Pick<Pages, 'go' | 'reload' | 'get' | 'next'>
  const heard: string[] = []
  let told = () => undefined as unknown
  const stop = app.tabs.listen((news) => {
    heedNews(app, pages, news)
    heard.push(news.kind)
    told()
  })
  onTestFinished(stop)
  const hears = (count: number) =>
    new Promise<void>((resolve) => {
      told = () => (heard.length >= count ? resolve() : undefined)
      told()
    })
  return { app, pages, moves, heard, hears, status: () => app.session.get().status }
}

const fine: Api = async () => ({ status: true }) as never

test('a sign-in reaches the other tabs, which go where their own dialog would have led', async () => {
  const first = await openTab(VISITOR)
  const second = await openTab(VISITOR)
  const third = await openTab(VISITOR)
  second.app.dialogs.open('login', { redirect: '/activations' })
  beginSession(first.app, { token: 'new', user: anna })
  await Promise.all([second.hears(1), third.hears(1)])
  expect(second.app.session.get()).toEqual({ status: 'authenticated', token: 'new' })
  expect(second.app.queryClient.getQueryData(['user'])).toEqual(anna)
  expect(second.app.dialogs.state.get().flags).toEqual({})
  expect([second.moves, third.moves]).toEqual([['/activations'], ['again']])
  expect(first.heard).toEqual([])
})

test('a sign-out reaches the other tabs: pages of the user are left, the home page is made a visitor’s', async () => {
  const first = await openTab(MEMBER, '/', fine)
  const second = await openTab(MEMBER, '/activations')
  const third = await openTab(MEMBER, '/?service=tg')
  await signOut(first.app)
  await Promise.all([second.hears(2), third.hears(2)])
  expect(second.heard).toEqual(['leaving', 'signed-out'])
  expect([isLeaving(second.app), isLeaving(third.app)]).toEqual([true, true])
  expect([second.status(), third.status()]).toEqual(['unauthenticated', 'unauthenticated'])
  expect([second.moves, third.moves]).toEqual([['/'], ['again']])
  expect(second.app.dialogs.state.get().flags).toEqual({})
})

test('a sign-out that fails is over in the other tabs too', async () => {
  const first = await openTab(MEMBER, '/', () => Promise.reject(new Error('offline')))
  const second = await openTab(MEMBER, '/activations')
  await expect(signOut(first.app)).rejects.toThrow('offline')
  await second.hears(2)
  expect(second.heard).toEqual(['leaving', 'staying'])
  expect([isLeaving(first.app), isLeaving(second.app)]).toEqual([false, false])
  expect(second.status()).toBe('authenticated')
})

test('a refusal that comes after the sign-out opens nothing', async () => {
  const tab = await openTab(VISITOR, '/activations')
  expireSession(tab.app, tab.pages)
  expect(tab.moves).toEqual([])
  expect(tab.app.dialogs.state.get().flags).toEqual({})
})

test('4.1, 4.3: a session that ran out ends in all tabs, and each comes back to its own page', async () => {
  const first = await openTab(MEMBER, '/activations?search=tg')
  const second = await openTab(MEMBER)
  const visitor = await openTab(VISITOR)
  expireSession(first.app, first.pages)
  await Promise.all([second.hears(1), visitor.hears(1)])
  expect([first.moves, second.moves, visitor.moves]).toEqual([['/'], ['/'], []])
  for (const { app } of [first, second]) {
    expect(app.session.get()).toEqual({ status: 'unauthenticated', token: null })
    expect(app.queryClient.getQueryData(['user'])).toBeUndefined()
  }
  expect(first.app.dialogs.state.get().flags).toEqual({ login: { redirect: '/activations?search=tg' } })
  expect(second.app.dialogs.state.get().flags).toEqual({ login: {} })
  expect(visitor.app.dialogs.state.get().flags).toEqual({})
})

test('why a session has ended is said at the sign-in of each tab', async () => {
  const first = await openTab(MEMBER, '/settings/security')
  const second = await openTab(MEMBER)
  expireSession(first.app, first.pages, 'Your role has changed')
  await second.hears(1)
  const flags = [first, second].map(({ app }) => app.dialogs.state.get().flags.login)
  expect(flags).toEqual([
    { redirect: '/settings/security', why: 'Your role has changed' },
    { why: 'Your role has changed' },
  ])
})

test('a renewed token and the user are taken over by those who are signed in as the same person', async () => {
  const first = await openTab(MEMBER)
  const second = await openTab(MEMBER)
  const visitor = await openTab(VISITOR)
  renewSession(first.app, { token: 'second', user: anna })
  first.app.tabs.tell({ kind: 'user', user: { ...anna, balance: '7.00' } })
  first.app.tabs.tell({ kind: 'user', user: { ...anna, id: 2, balance: '1.00' } })
  await Promise.all([second.hears(3), visitor.hears(3)])
  expect(second.app.session.get().token).toBe('second')
  expect(second.app.queryClient.getQueryData(['user'])).toEqual({ ...anna, balance: '7.00' })
  expect(second.moves).toEqual([])
  expect(visitor.status()).toBe('unauthenticated')
  expect(visitor.app.queryClient.getQueryData(['user'])).toBeUndefined()
})

test('what belonged to the person before is gone when another one signs in elsewhere', async () => {
  const first = await openTab(MEMBER)
  const second = await openTab(MEMBER)
  second.app.queryClient.setQueryData(['active-numbers', {}], 'numbers of Anna')
  beginSession(first.app, { token: 'of Boris', user: { ...anna, id: 2 } })
  await second.hears(1)
  expect(second.app.queryClient.getQueryData(['active-numbers', {}])).toBeUndefined()
  expect(second.moves).toEqual(['again'])
})
