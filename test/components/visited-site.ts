import type { Location, Path } from 'react-router'
import type { PageHistory } from '#web/navigation/history.ts'
import type { PageContent } from '#web/navigation/load-page.ts'
import { Redirect, type Screen } from '#web/navigation/loader-input.ts'
import { createPages, type Page } from '#web/navigation/pages.ts'

type Load = { url: string; name: string; signal: AbortSignal } & Record<'answer' | 'fail', (what: unknown) => void>

/** Creates a fake site on which the test answers each page load. The visitor begins on a server-rendered home page. */
export function site({
  at = '/',
  error = null as unknown,
  ownsQuery = false,
  data = 'home of the server' as unknown,
  takesOver = (_href: string): boolean => false,
} = {}) {
  const screen: Screen = { Page: () => null, ...(ownsQuery && { ownsQuery }) }
  const loads: Load[] = []
  const history = memoryHistory(at)
  const scroll = { positions: {} as Record<string, number>, y: 0, position: () => scroll.y }
  const pages = createPages({
    history,
    content: error === null ? { screen, data } : { error },
    load: ({ route }, { href }, signal) => {
      const { promise, resolve } = Promise.withResolvers<PageContent | Redirect>()
      loads.push({
        url: href.replace(history.origin, ''),
        name: route.name,
        signal,
        answer: (data) => resolve({ screen, data }),
        fail: (thrown) => resolve(thrown instanceof Redirect ? thrown : { error: thrown }),
      })
      return promise
    },
    takesOver,
    scroll,
  })
  const drawn: Page[] = []
  pages.subscribe((page) => drawn.push(page))
  const lastLoad = () => {
    const load = loads.at(-1)
    if (load === undefined) throw new Error('nothing was loaded')
    return load
  }
  return { pages, history, loads, lastLoad, drawn, data: () => dataOf(pages.get()), scroll }
}

export function dataOf({ content }: Page): unknown {
  return 'error' in content ? content.error : content.data
}

function memoryHistory(at: string): PageHistory & {
  index: number
  entries: Location[]
  go: (steps: number) => void
} {
  const heard = new Set<(location: Location) => void>()
  let count = 0
  const entryOf = ({ pathname, search, hash }: Path, state: unknown): Location => {
    count += 1
    return { pathname, search, hash, state, key: `entry-${count}` }
  }
  const history = {
    index: 0,
    entries: [entryOf(new URL(at, 'http://this.site'), null)],
    origin: 'http://this.site',
    get location() {
      return history.entries[history.index] ?? fail()
    },
    push: (path: Path, state: unknown) => {
      history.index += 1
      history.entries.splice(history.index, history.entries.length, entryOf(path, state))
    },
    replace: (path: Path, state: unknown) => {
      history.entries[history.index] = entryOf(path, state)
    },
    go: (steps: number) => {
      history.index += steps
      for (const listener of heard) listener(history.location)
    },
    listen: (listener: (location: Location) => void) => {
      heard.add(listener)
      return () => heard.delete(listener)
    },
  }
  return history
}

function fail(): never {
  throw new Error('a step out of the history')
}
