import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '#test/components/show.tsx'
import { COUNTRIES, SERVICES } from '#test/components/show-panel.tsx'
import { PlayedTicket } from './played-ticket.tsx'

let seen: ((isSeen: boolean) => void)[] = []

class Observer {
  readonly #tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }
  observe() {
    // Only this field is read.
    seen.push((isIntersecting) => this.#tell([{ isIntersecting } as IntersectionObserverEntry], this as never))
  }
  disconnect() {
    seen = []
  }
}

beforeEach(() => {
  seen = []
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const [telegram, viber] = SERVICES
const [kazakhstan, indonesia] = COUNTRIES
if (!(telegram && viber && kazakhstan && indonesia)) throw new Error('the lists are too short')

const pairOf = (service = telegram, country = kazakhstan) => ({ service, country, price: country.price })
const showTicket = (ticket = <PlayedTicket pair={pairOf()} />) => show(ticket, { locale: 'en' })

const step = () => screen.getByRole('figure').dataset.step
function come(isSeen = true): void {
  act(() => {
    for (const tell of seen) tell(isSeen)
  })
}

function Changing() {
  const [pair, setPair] = useState(pairOf())
  return (
    <>
      <PlayedTicket pair={pair} />
      <button type="button" onClick={() => setPair(pairOf(viber, indonesia))}>
        Other pair
      </button>
    </>
  )
}

/** Each frame sets the timer of the next once it is drawn. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) await act(() => vi.advanceTimersByTimeAsync(50))
}

test('it rests on the code, and plays once from the number to the copied code when it comes into sight', async () => {
  await showTicket()
  expect(step()).toBe('copied')
  screen.getByText('Code copied')
  come()
  expect(step()).toBe('bought')
  expect(screen.queryByText('Code copied')).toBeNull()
  const steps: (string | undefined)[] = []
  for (let time = 0; time < 120; time += 1) {
    await pass(50)
    if (steps.at(-1) !== step()) steps.push(step())
  }
  expect(steps).toEqual(['bought', 'waiting', 'code', 'copied'])
  screen.getByText(/^\+7 705 010 00 \d\d$/)
  expect(vi.getTimerCount()).toBe(0)
})

test('it plays again on a press, and stops while it is out of sight or its tab is hidden', async () => {
  await showTicket()
  come()
  await pass(10_000)
  act(() => screen.getByRole('button', { name: 'Replay' }).click())
  expect(step()).toBe('bought')
  come(false)
  await pass(10_000)
  expect(step()).toBe('bought')
  come()
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await pass(10_000)
  expect(step()).toBe('bought')
  hidden.mockRestore()
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await pass(10_000)
  expect(step()).toBe('copied')
})

test('another pair plays at once, with its own number, code and price', async () => {
  await showTicket(<Changing />)
  come()
  await pass(10_000)
  const first = screen.getByRole('figure').textContent
  act(() => screen.getByRole('button', { name: 'Other pair' }).click())
  expect(step()).toBe('bought')
  await pass(10_000)
  expect(screen.getByRole('figure').textContent).not.toBe(first)
  screen.getByText(/^\+62 812 0100 00\d\d$/)
  screen.getByText('3.00 ₽')
})

test('it never moves for people who want less motion', async () => {
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('reduced-motion') }),
  )
  await showTicket()
  come()
  await pass(10_000)
  expect(step()).toBe('copied')
  expect(screen.queryByRole('button', { name: 'Replay' })?.className).toContain('invisible')
})
