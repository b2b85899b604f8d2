import { redirect, UNSAFE_createMemoryHistory } from 'react-router'
import { expect, test } from 'vitest'
import { createPageRouter } from './page-router.ts'
import { site } from './test-site.ts'

test('the page that is open is that of the server, and nothing is loaded for it', () => {
  const { router, loads } = site()
  expect(router.state).toMatchObject({ initialized: true, loaderData: { home: 'home of the server' }, errors: null })
  expect(router.state.matches.map(({ route }) => route.id)).toEqual(['main', 'home'])
  expect(loads).toEqual([])
})

test('the address and the page change together, when the data is here', async () => {
  const { router, history, lastLoad } = site()
  const arrived = router.navigate('/faq/money?page=2', { state: { from: 'home' } })
  expect(router.state.navigation).toMatchObject({ state: 'loading', location: { pathname: '/faq/money' } })
  expect(router.state.location.pathname).toBe('/')
  expect(history.location.pathname).toBe('/')
  expect(lastLoad()).toMatchObject({ url: '/faq/money?page=2', id: 'faq' })
  lastLoad().answer('answers')
  await arrived
  expect(history.location).toMatchObject({ pathname: '/faq/money', search: '?page=2', state: { from: 'home' } })
  expect(router.state).toMatchObject({
    historyAction: 'PUSH',
    navigation: { state: 'idle' },
    location: { pathname: '/faq/money', state: { from: 'home' }, key: history.location.key },
    loaderData: { faq: 'answers' },
  })
  expect(router.state.matches.at(-1)?.params).toEqual({ category: 'money' })
  expect(history.index).toBe(1)
})

test('replacing makes no entry in the history', async () => {
  const { router, history, lastLoad } = site()
  const arrived = router.navigate('/faq/money', { replace: true })
  lastLoad().answer(1)
  await arrived
  expect([history.index, history.location.pathname, router.state.historyAction]).toEqual([0, '/faq/money', 'REPLACE'])
})

test('whoever goes elsewhere meanwhile is shown the last place only', async () => {
  const { router, history, loads } = site()
  const first = router.navigate('/faq/money')
  const second = router.navigate('/faq/codes')
  expect(loads.map(({ signal }) => signal.aborted)).toEqual([true, false])
  loads[1]?.answer('codes')
  await second
  loads[0]?.answer('money')
  await first
  expect([history.location.pathname, history.index]).toEqual(['/faq/codes', 1])
  expect(router.state.loaderData).toEqual({ faq: 'codes' })
})

test('a mark within the page loads nothing, an address without one loads again', async () => {
  const { router, history, loads, lastLoad } = site()
  await router.navigate('#main')
  expect(history.location.hash).toBe('#main')
  expect(loads).toEqual([])
  const arrived = router.navigate('/')
  lastLoad().answer('home again')
  await arrived
  expect(router.state.loaderData).toEqual({ home: 'home again' })
})

test('a screen that takes care of its query is drawn at once with the data it has', async () => {
  const { router, history, loads, states } = site({ ownsQuery: true })
  const arrived = router.navigate('?service=tg', { replace: true, preventScrollReset: true })
  expect(states).toHaveLength(1)
  expect(router.state).toMatchObject({ location: { search: '?service=tg' }, preventScrollReset: true })
  await arrived
  expect(loads).toEqual([])
  expect([history.location.search, history.index]).toEqual(['?service=tg', 0])
  expect(router.state.loaderData).toEqual({ home: 'home of the server' })
})

test('going back loads the page gone to, and only then changes what is shown', async () => {
  const { router, history, lastLoad } = site()
  const arrived = router.navigate('/faq/money')
  lastLoad().answer('money')
  await arrived
  const shown = nextChange(router, ({ navigation }) => navigation.state === 'idle')
  await router.navigate(-1)
  expect([history.location.pathname, router.state.location.pathname]).toEqual(['/', '/faq/money'])
  lastLoad().answer('home again')
  expect(await shown).toMatchObject({
    historyAction: 'POP',
    location: { pathname: '/' },
    loaderData: { home: 'home again' },
  })
  expect(history.index).toBe(0)
})

test('what a loader throws stands where the screen would be, and the next visit clears it', async () => {
  const { router, lastLoad } = site()
  const failed = router.navigate('/faq/money')
  const fault = new Error('no answer')
  lastLoad().fail(fault)
  await failed
  expect(router.state).toMatchObject({ errors: { main: fault }, loaderData: {}, location: { pathname: '/faq/money' } })
  const again = router.navigate('/faq/money', { replace: true })
  lastLoad().answer('money')
  await again
  expect(router.state).toMatchObject({ errors: null, loaderData: { faq: 'money' } })
})

test('a page that failed on the server is loaded even for a mark within it', async () => {
  const { router, lastLoad } = site({ errors: { main: new Error('away') } })
  const arrived = router.navigate('#main')
  lastLoad().answer('home')
  await arrived
  expect(router.state).toMatchObject({ errors: null, loaderData: { home: 'home' } })
})

test('a redirect is followed, and the address that was refused is not in the history', async () => {
  const { router, history, lastLoad } = site()
  const arrived = router.navigate('/secret')
  lastLoad().fail(redirect('/?login=1&redirect=%2Fsecret'))
  await nextChange(router, ({ navigation }) => navigation.location?.search.startsWith('?login=1') === true)
  lastLoad().answer('home')
  await arrived
  expect([history.location.search, history.index]).toEqual(['?login=1&redirect=%2Fsecret', 1])
})

// H-11
test('addresses that redirect to each other end with a failure that is shown', async () => {
  const { router, history, loads, lastLoad } = site()
  const arrived = router.navigate('/secret')
  for (let turn = 1; turn <= 21; turn += 1) {
    await expect.poll(() => loads.length).toBe(turn)
    lastLoad().fail(redirect(`/faq/turn-${turn}`))
  }
  await arrived
  expect(loads).toHaveLength(21)
  expect(router.state.navigation.state).toBe('idle')
  expect(Object.values(router.state.errors ?? {})).toEqual([new Error('redirected more than 20 times')])
  expect(history.location.pathname).toBe('/faq/turn-20')
})

test('a redirect on the way back takes the place of what was gone back to', async () => {
  const { router, history, lastLoad } = site()
  const away = router.navigate('/faq/money')
  lastLoad().answer('money')
  await away
  const shown = nextChange(router, ({ navigation }) => navigation.state === 'idle')
  await router.navigate(-1)
  lastLoad().fail(redirect('/faq/login'))
  await nextChange(router, ({ navigation }) => navigation.location?.pathname === '/faq/login')
  lastLoad().answer('sign in')
  expect(await shown).toMatchObject({ location: { pathname: '/faq/login' }, historyAction: 'REPLACE' })
  expect(history.index).toBe(0)
})

test('loading again moves neither the address nor the scroll', async () => {
  const { router, history, lastLoad, states } = site({ at: '/?service=tg', ownsQuery: true })
  const before = router.state.location
  const done = router.revalidate()
  expect(states.map(({ revalidation, navigation }) => [revalidation, navigation.state])).toEqual([['loading', 'idle']])
  expect(lastLoad().url).toBe('/?service=tg')
  lastLoad().answer('home in English')
  await done
  expect(router.state).toMatchObject({ revalidation: 'idle', restoreScrollPosition: false })
  expect(router.state.loaderData).toEqual({ home: 'home in English' })
  expect(router.state.location).toBe(before)
  expect(history.index).toBe(0)
})

test('loading again during a visit begins that visit again', async () => {
  const { router, history, loads, lastLoad } = site()
  const first = router.navigate('/faq/money')
  const again = router.revalidate()
  expect(loads.map(({ url, signal }) => [url, signal.aborted])).toEqual([
    ['/faq/money', true],
    ['/faq/money', false],
  ])
  loads[0]?.answer('of the former language')
  lastLoad().answer('money')
  await Promise.all([first, again])
  expect(router.state).toMatchObject({ loaderData: { faq: 'money' }, location: { pathname: '/faq/money' } })
  expect(history.index).toBe(1)
})

test('a visit that interrupts loading again does not keep the old data', async () => {
  const { router, lastLoad, loads } = site()
  const again = router.revalidate()
  const arrived = router.navigate('?service=tg')
  expect(loads).toHaveLength(2)
  loads[0]?.answer('without the service')
  lastLoad().answer('with the service')
  await Promise.all([again, arrived])
  expect(router.state).toMatchObject({ loaderData: { home: 'with the service' }, revalidation: 'idle' })
})

test('while data is loaded again, a screen that takes care of its query has each change of it at once', async () => {
  const { router, history, lastLoad, loads } = site({ ownsQuery: true })
  const again = router.revalidate()
  for (const search of ['?service=tg', '?service=tg&country=2']) {
    await router.navigate(search, { replace: true })
    expect([history.location.search, router.state.location.search]).toEqual([search, search])
    expect(router.state).toMatchObject({ loaderData: { home: 'home of the server' }, revalidation: 'loading' })
  }
  expect(loads.map(({ url, signal }) => [url, signal.aborted])).toEqual([
    ['/', true],
    ['/?service=tg', true],
    ['/?service=tg&country=2', false],
  ])
  const shown = nextChange(router, ({ revalidation }) => revalidation === 'idle')
  loads[0]?.answer('of nobody')
  lastLoad().answer('of the one who signed in')
  await Promise.all([again, shown])
  expect(router.state.loaderData).toEqual({ home: 'of the one who signed in' })
  expect(router.state.location.search).toBe('?service=tg&country=2')
})

test('the place on a page is remembered, and found again on the way back', async () => {
  const { router, lastLoad } = site()
  const positions: Record<string, number> = {}
  let y = 640
  router.enableScrollRestoration(positions, () => y)
  const away = router.navigate('/faq/money')
  lastLoad().answer('money')
  await away
  expect(router.state.restoreScrollPosition).toBeNull()
  y = 10
  const shown = nextChange(router, ({ navigation }) => navigation.state === 'idle')
  await router.navigate(-1)
  lastLoad().answer('home')
  expect((await shown).restoreScrollPosition).toBe(640)
})

test('a change before anybody listens is told to the first who does', async () => {
  const history = UNSAFE_createMemoryHistory({ initialEntries: ['/'] })
  const router = createPageRouter({
    routes: [{ id: 'home', path: '/' }],
    history,
    loaderData: { home: 1 },
    errors: null,
    load: async () => 2,
    takesOver: () => false,
  })
  await router.navigate('/?login=1')
  const told: string[] = []
  router.subscribe(({ location }) => told.push(location.search))
  router.subscribe(({ location }) => told.push(location.search))
  expect(told).toEqual(['?login=1'])
})

test('no address leads to another host', async () => {
  const { router, history, loads } = site()
  for (const to of ['//evil.test/x', '/\\evil.test/x', 'https://evil.test/x']) {
    const arrived = router.navigate(to)
    loads.at(-1)?.answer(null)
    await arrived
    expect(history.createURL(history.location).origin).toBe('http://localhost')
    expect(history.location.pathname.startsWith('//')).toBe(false)
  }
})

test('after its end the router follows nothing', async () => {
  const { router, lastLoad, states } = site()
  const arrived = router.navigate('/faq/money')
  router.dispose()
  expect(lastLoad().signal.aborted).toBe(true)
  lastLoad().answer('money')
  await arrived
  expect(states.at(-1)?.location.pathname).toBe('/')
})

/** The first state to come of which `wanted` is true. */
function nextChange(
  { subscribe }: ReturnType<typeof createPageRouter>,
  wanted: (state: ReturnType<typeof createPageRouter>['state']) => boolean,
) {
  return new Promise<ReturnType<typeof createPageRouter>['state']>((resolve) => {
    const unsubscribe = subscribe((state) => {
      if (!wanted(state)) return
      unsubscribe()
      resolve(state)
    })
  })
}

// Checklist 4.15: with a new build the next page is loaded as a document.
test('another page may be taken over by the browser; the same page never is', async () => {
  const asked: string[] = []
  const { router, history, loads, lastLoad } = site({
    takesOver: (href) => {
      asked.push(href.replace('http://localhost', ''))
      return true
    },
  })
  await router.navigate('/faq/money?page=2')
  expect([asked, loads, history.location.pathname]).toEqual([['/faq/money?page=2'], [], '/'])
  const filtered = router.navigate('/?service=tg')
  lastLoad().answer('home with a filter')
  await filtered
  expect([asked.length, router.state.location.search]).toEqual([1, '?service=tg'])
})
