import { createPath, type Location, type Path } from 'react-router'
import { newId } from '#web/house/new-id.ts'

export type PageHistory = {
  readonly location: Location
  readonly origin: string
  push(path: Path, state: unknown): void
  replace(path: Path, state: unknown): void
  /** Calls `heard` for every move within the browser history, even by the browser's own buttons. */
  listen(heard: (location: Location) => void): () => void
}

/** `usr` is the state that the caller gave. `key` identifies the scroll position of the entry. */
type Entry = { usr?: unknown; key?: string } | null

export function browserHistory(): PageHistory {
  nameEntry()
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
    listen: (heard) => {
      const onStep = () => {
        nameEntry()
        heard(here())
      }
      window.addEventListener('popstate', onStep)
      return () => window.removeEventListener('popstate', onStep)
    },
  }
}

/** Browsers create entries without a key for a new document and for a change of the hash alone. */
function nameEntry(): void {
  if (window.history.state === null) window.history.replaceState({ key: newId() } satisfies Entry, '')
}

function addEntry(entry: Entry, href: string): void {
  try {
    window.history.pushState(entry, '', href)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataCloneError') throw error
    // Safari refuses more than 100 history entries in 30 seconds, so the browser loads the document instead.
    window.location.assign(href)
  }
}
