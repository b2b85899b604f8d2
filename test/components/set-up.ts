import { cleanup, configure } from '@testing-library/react'
import { afterEach, expect, vi } from 'vitest'
import { clearCookie } from '#web/session/cookie.ts'

/** Dialogs are imported when they open, which takes seconds on a busy machine. */
configure({ asyncUtilTimeout: 10_000 })

const nothing = () => undefined

/** jsdom has no layout: nothing scrolls, no element has a size, and no media query matches. */
class NoObserver {
  observe = nothing
  unobserve = nothing
  disconnect = nothing
  takeRecords = () => []
}
class NoMedia extends EventTarget {
  readonly media: string
  readonly matches = false
  constructor(media: string) {
    super()
    this.media = media
  }
}
Element.prototype.scrollIntoView = nothing
Element.prototype.getAnimations = () => []
vi.stubGlobal('scrollTo', nothing)
vi.stubGlobal('matchMedia', (media: string) => new NoMedia(media))
vi.stubGlobal('ResizeObserver', NoObserver)
vi.stubGlobal('IntersectionObserver', NoObserver)
// jsdom does not know the element `search`, of which React would complain.
const createElement = document.createElement.bind(document)
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options)
  return name === 'search' ? Object.defineProperty(element, Symbol.toStringTag, { value: 'HTMLElement' }) : element
}
// Preloads are off, because a preloaded script could arrive after the end of the test.
Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } })
// jsdom lacks reportError. Printing the error makes the test fail.
vi.stubGlobal('reportError', (error: unknown) => console.error(error))

/** React reports mistakes only by console.error. */
const complaints = vi.spyOn(console, 'error')

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  // Test files share the page, so cookies would be valid in the next file too.
  for (const cookie of document.cookie.split('; ')) clearCookie(cookie.split('=')[0] ?? '')
  const heard = complaints.mock.calls.map((call) => call.map(String).join(' '))
  complaints.mockClear()
  expect(heard).toEqual([])
})
