import { expect, test } from 'vitest'
import { dataOf, site } from '#test/components/visited-site.ts'
import { Redirect } from './loader-input.ts'
import type { Page, Pages } from './pages.ts'

test('the page that is open is that of the server, and nothing is loaded for it', () => {
  const { pages, loads, data } = site()
  expect(pages.get()).toMatchObject({ route: { name: 'index___ru' }, action: 'step', scrollTo: null })
  expect(data()).toBe('home of the server')
  expect(loads).toEqual([])
})

test('the address and the page change together, when the data is here', async () => {
  const { pages, history, lastLoad, data } = site()
  const arrived = pages.go('/faq/money?page=2', { state: { from: 'home' } })
  expect(pages.next.get()).toMatchObject({ pathname: '/faq/money' })
  expect([pages.get().location.pathname, history.location.pathname]).toEqual(['/', '/'])
  expect(lastLoad()).toMatchObject({ url: '/faq/money?page=2', name: 'faq-category___ru' })
  lastLoad().answer('answers')
  await arrived
  expect(history.location).toMatchObject({ pathname: '/faq/money', search: '?page=2', state: { from: 'home' } })
  expect(pages.get()).toMatchObject({ action: 'push', location: history.location, params: { category: 'money' } })
  expect([pages.next.get(), data(), history.index]).toEqual([null, 'answers', 1])
})

test('replacing makes no entry in the history', async () => {
  const { pages, history, lastLoad } = site()
  const arrived = pages.go('/faq/money', { replace: true })
  lastLoad().answer(1)
  await arrived
  expect([history.index, history.location.pathname, pages.get().action]).toEqual([0, '/faq/money', 'replace'])
})

test('the state of a link is kept with its entry in the history', async () => {
  const { pages, history, lastLoad } = site()
  const arrived = pages.go('/faq/money', { state: { from: 'a link' } })
  lastLoad().answer(1)
  await arrived
  expect([history.index, history.location.state]).toEqual([1, { from: 'a link' }])
})

test('whoever goes elsewhere meanwhile is shown the last place only', async () => {
  const { pages, history, loads, data } = site()
  const first = pages.go('/faq/money')
  const second = pages.go('/faq/codes')
  expect(loads.map(({ signal }) => signal.aborted)).toEqual([true, false])
  loads[1]?.answer('codes')
  await second
  loads[0]?.answer('money')
  await first
  expect([history.location.pathname, history.index, data()]).toEqual(['/faq/codes', 1, 'codes'])
})

test('a mark within the page loads nothing, an address without one loads again', async () => {
  const { pages, history, loads, lastLoad, data } = site()
  await pages.go('#main')
  expect([history.location.hash, pages.get().scrollTo]).toEqual(['#main', 'mark'])
  expect(loads).toEqual([])
  const arrived = pages.go('/')
  lastLoad().answer('home again')
  await arrived
  expect(data()).toBe('home again')
})

test('a part of the query that the screen does not read loads nothing', async () => {
  const { pages, history, loads } = site({ at: '/?service=tg&login=1' })
  await pages.go('/?service=tg', { replace: true })
  expect([history.location.search, loads]).toEqual(['?service=tg', []])
})

test('a screen that takes care of its query is drawn at once with the data it has', async () => {
  const { pages, history, loads, drawn, data } = site({ ownsQuery: true })
  const arrived = pages.go('?service=tg', { replace: true, preventScrollReset: true })
  expect(drawn).toMatchObject([{ location: { search: '?service=tg' }, scrollTo: null }])
  await arrived
  expect([history.location.search, history.index]).toEqual(['?service=tg', 0])
  expect([loads, data()]).toEqual([[], 'home of the server'])
})

test('going back loads the page gone to, and only then changes what is shown', async () => {
  const { pages, history, lastLoad } = site()
  const arrived = pages.go('/faq/money')
  lastLoad().answer('money')
  await arrived
  const shown = nextPage(pages)
  history.go(-1)
  expect([history.location.pathname, pages.get().location.pathname]).toEqual(['/', '/faq/money'])
  lastLoad().answer('home again')
  const page = await shown
  expect(page).toMatchObject({ action: 'step', location: { pathname: '/' } })
  expect([dataOf(page), history.index]).toEqual(['home again', 0])
})

test('what fails stands where the screen would be, and the next visit clears it', async () => {
  const { pages, lastLoad, data } = site()
  const failed = pages.go('/faq/money')
  const fault = new Error('no answer')
  lastLoad().fail(fault)
  await failed
  expect([data(), pages.get().location.pathname]).toEqual([fault, '/faq/money'])
  const again = pages.go('/faq/money', { replace: true })
  lastLoad().answer('money')
  await again
  expect(data()).toBe('money')
})

test('a page that failed on the server is loaded even for a mark within it', async () => {
  const { pages, lastLoad, data } = site({ error: new Error('away') })
  const arrived = pages.go('#main')
  lastLoad().answer('home')
  await arrived
  expect(data()).toBe('home')
})

test('a redirect is followed, and the address that was refused is not in the history', async () => {
  const { pages, history, loads, lastLoad, data } = site({ at: '/faq' })
  const arrived = pages.go('/secret')
  lastLoad().fail(new Redirect('/?login=1&redirect=%2Fsecret'))
  await expect.poll(() => loads.length).toBe(2)
  lastLoad().answer('home')
  await arrived
  expect([history.location.search, history.index, data()]).toEqual(['?login=1&redirect=%2Fsecret', 1, 'home'])
})

// H-11: a redirect loop must end with an error.
test('addresses that redirect to each other end with a failure that is shown', async () => {
  const { pages, history, loads, lastLoad, data } = site()
  const arrived = pages.go('/secret')
  for (let turn = 1; turn <= 21; turn += 1) {
    await expect.poll(() => loads.length).toBe(turn)
    lastLoad().fail(new Redirect(`/faq/turn-${turn}`))
  }
  await arrived
  expect([loads.length, pages.next.get()]).toEqual([21, null])
  expect(data()).toEqual(new Error('redirected more than 20 times'))
  expect(history.location.pathname).toBe('/faq/turn-20')
})

test('a redirect on the way back takes the place of what was gone back to', async () => {
  const { pages, history, loads, lastLoad } = site()
  const away = pages.go('/faq/money')
  lastLoad().answer('money')
  await away
  const shown = nextPage(pages)
  history.go(-1)
  lastLoad().fail(new Redirect('/faq/login'))
  await expect.poll(() => loads.length).toBe(3)
  lastLoad().answer('sign in')
  expect(await shown).toMatchObject({ location: { pathname: '/faq/login' }, action: 'replace' })
  expect(history.index).toBe(0)
})

test('loading again moves neither the address nor the scroll', async () => {
  const { pages, history, lastLoad, drawn, data } = site({ at: '/?service=tg', ownsQuery: true })
  const before = pages.get().location
  const done = pages.reload()
  expect([drawn, pages.next.get(), lastLoad().url]).toEqual([[], null, '/?service=tg'])
  lastLoad().answer('home in English')
  await done
  expect([data(), pages.get().scrollTo, history.index]).toEqual(['home in English', null, 0])
  expect(pages.get().location).toBe(before)
})

test('loading again during a visit begins that visit again', async () => {
  const { pages, history, loads, lastLoad, data } = site()
  const first = pages.go('/faq/money')
  const again = pages.reload()
  expect(loads.map(({ url, signal }) => [url, signal.aborted])).toEqual([
    ['/faq/money', true],
    ['/faq/money', false],
  ])
  loads[0]?.answer('of the former language')
  lastLoad().answer('money')
  await Promise.all([first, again])
  expect([data(), pages.get().location.pathname, history.index]).toEqual(['money', '/faq/money', 1])
})

test('a visit that interrupts loading again does not keep the old data', async () => {
  const { pages, lastLoad, loads, data } = site()
  const again = pages.reload()
  const arrived = pages.go('?service=tg')
  expect(loads).toHaveLength(2)
  loads[0]?.answer('without the service')
  lastLoad().answer('with the service')
  await Promise.all([again, arrived])
  expect(data()).toBe('with the service')
})

test('while data is loaded again, a screen that takes care of its query has each change of it at once', async () => {
  const { pages, history, lastLoad, loads, data } = site({ ownsQuery: true })
  const again = pages.reload()
  for (const search of ['?service=tg', '?service=tg&country=2']) {
    await pages.go(search, { replace: true })
    expect([history.location.search, pages.get().location.search, data()]).toEqual([
      search,
      search,
      'home of the server',
    ])
  }
  expect(loads.map(({ url, signal }) => [url, signal.aborted])).toEqual([
    ['/', true],
    ['/?service=tg', true],
    ['/?service=tg&country=2', false],
  ])
  const shown = nextPage(pages)
  loads[0]?.answer('of nobody')
  lastLoad().answer('of the one who signed in')
  await Promise.all([again, shown])
  expect([data(), pages.get().location.search]).toEqual(['of the one who signed in', '?service=tg&country=2'])
})

test('the place on a page is remembered, and found again on the way back', async () => {
  const { pages, history, lastLoad, scroll } = site()
  scroll.y = 640
  const away = pages.go('/faq/money')
  lastLoad().answer('money')
  await away
  expect(pages.get().scrollTo).toBe(0)
  scroll.y = 10
  const shown = nextPage(pages)
  history.go(-1)
  lastLoad().answer('home')
  expect((await shown).scrollTo).toBe(640)
})

test('no address leads to another host', async () => {
  const { pages, history, loads } = site()
  for (const to of ['//evil.test/x', '/\\evil.test/x', 'https://evil.test/x', '@evil.test/x', '.evil.test']) {
    const arrived = pages.go(to)
    loads.at(-1)?.answer(null)
    await arrived
    expect(new URL(history.location.pathname, history.origin).origin).toBe('http://this.site')
    expect(history.location.pathname).toMatch(/^\/(?![/\\])/)
  }
})

test('after its end nothing is followed', async () => {
  const { pages, lastLoad, drawn } = site()
  const arrived = pages.go('/faq/money')
  pages.end()
  expect(lastLoad().signal.aborted).toBe(true)
  lastLoad().answer('money')
  await arrived
  expect([drawn, pages.get().location.pathname]).toEqual([[], '/'])
})

// Checklist 4.15: after a new build is deployed, the next page is loaded as a document.
test('another page may be taken over by the browser; the same page never is', async () => {
  const asked: string[] = []
  const { pages, history, loads, lastLoad } = site({
    takesOver: (href) => {
      asked.push(href.replace('http://this.site', ''))
      return true
    },
  })
  await pages.go('/faq/money?page=2')
  expect([asked, loads, history.location.pathname]).toEqual([['/faq/money?page=2'], [], '/'])
  const filtered = pages.go('/?service=tg')
  lastLoad().answer('home with a filter')
  await filtered
  expect([asked.length, pages.get().location.search]).toEqual([1, '?service=tg'])
})

function nextPage(pages: Pages): Promise<Page> {
  return new Promise((resolve) => {
    const stop = pages.subscribe((page) => {
      stop()
      resolve(page)
    })
  })
}
