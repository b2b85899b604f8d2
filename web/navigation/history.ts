import { createPath, type Location, type Path } from 'react-router'
import { newId } from '#web/session/new-id.ts'

/** The addresses of this tab, as the browser keeps them. */
export type PageHistory = {
  readonly location: Location
  /** Of all addresses: scheme, host, port. */
  readonly origin: string
  push(path: Path, state: unknown): void
  replace(path: Path, state: unknown): void
  /** Steps back or forward; `listen` tells of the arrival. */
  go(steps: number): void
  /** Calls `heard` after steps in the history, those of the browser's own buttons included. Returns how to stop. */
  listen(heard: (location: Location) => void): () => void
}

/** What an entry of the history carries: the state it was given, and a key by which its scroll is remembered. */
type Entry = { usr?: unknown; key?: string } | null

export function browserHistory(): PageHistory {
  const here = (): Location => {
    const { pathname, search, hash } = window.location
    const entry: Entry = window.history.state
    return { pathname, search, hash, state: entry?.usr ?? null, key: entry?.key ?? 'default' }
  }
  const write = (path: Path, state: unknown, isNew: boolean) => {
    const entry: Entry = { usr: state, key: newId() }
    if (isNew) addEntry(entry, createPath(path))
    else window.history.replaceState(entry, '', createPath(path))
  }
  return {
    get location() {
      return here()
    },
    origin: window.location.origin,
    push: (path, state) => write(path, state, true),
    replace: (path, state) => write(path, state, false),
    go: (steps) => window.history.go(steps),
    listen: (heard) => {
      const onStep = () => heard(here())
      window.addEventListener('popstate', onStep)
      return () => window.removeEventListener('popstate', onStep)
    },
  }
}

function addEntry(entry: Entry, href: string): void {
  try {
    window.history.pushState(entry, '', href)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataCloneError') throw error
    // Safari refuses more than 100 entries in 30 seconds: the document is loaded in place of the screen.
    window.location.assign(href)
  }
}
