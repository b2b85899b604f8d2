import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anna } from '#test/components/app-context.ts'
import type { SessionNews, SessionTabs } from '#web/house/stores/session-tabs.ts'
import { keepSessionFresh } from './session-refresh.ts'

function browser() {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  // Clean-ups run in reverse order, so this clean-up runs after that of the tabs.
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const listeners = new Set<(news: SessionNews) => void>()
  const openTab = (answer = async () => anna) => {
    let asked = 0
    let own: ((news: SessionNews) => void) | undefined
    const tabs: SessionTabs = {
      tell: (news) => {
        for (const listener of listeners) if (listener !== own) listener(news)
      },
      listen: (listener) => {
        own = listener
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
    queryClient.setQueryData(['user'], anna)
    const queryFn = () => {
      asked += 1
      return answer()
    }
    // The observer represents the components of the page, which give the query its function.
    const forget = new QueryObserver(queryClient, { queryKey: ['user'], queryFn }).subscribe(() => undefined)
    const stop = keepSessionFresh({ queryClient, tabs })
    onTestFinished(() => {
      stop()
      forget()
      queryClient.clear()
    })
    return { asked: () => asked, close: stop }
  }
  return { openTab }
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

test('4.16: a tab alone asks every minute', async () => {
  const tab = browser().openTab()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(tab.asked()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(tab.asked()).toBe(1)
  await minutes(4)
  expect(tab.asked()).toBe(5)
})

test('of several tabs one asks for all, and another when that one is closed', async () => {
  const { openTab } = browser()
  const tabs = [openTab(), openTab(), openTab()]
  const asked = () => tabs.reduce((sum, tab) => sum + tab.asked(), 0)
  // In the first minute all tabs may poll, because no tab has received a message of another tab.
  await minutes(1)
  const before = asked()
  await minutes(10)
  expect(asked() - before).toBeGreaterThanOrEqual(9)
  expect(asked() - before).toBeLessThanOrEqual(10)
  tabs[0]?.close()
  const afterClosing = asked()
  await minutes(10)
  expect(asked() - afterClosing).toBeGreaterThanOrEqual(9)
  expect(asked() - afterClosing).toBeLessThanOrEqual(10)
})

test('4.16: a window that is looked at asks, once for focus and visibility together; a hidden one does not', async () => {
  const tab = browser().openTab()
  await vi.advanceTimersByTimeAsync(10_000)
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(0)
  expect(tab.asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  Object.assign(document, { hidden: true })
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(tab.asked()).toBe(1)
})

test('a failure is not told as an answer, and the next turn asks again', async () => {
  const { openTab } = browser()
  const broken = openTab(() => Promise.reject(new Error('no reply')))
  const sound = openTab()
  await minutes(5)
  expect(broken.asked()).toBeGreaterThanOrEqual(1)
  expect(sound.asked()).toBeGreaterThanOrEqual(4)
})
