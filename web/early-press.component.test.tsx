import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import './entry-early.ts'
import { pressEarly } from '#test/components/press-early.tsx'
import { EarlyPress, takeEarlyPress } from './early-press.ts'

test('a shortcut that comes while the page is being hydrated is a press of its button, once', async () => {
  const pressed = vi.fn()
  render(
    <button type="button" aria-keyshortcuts="f" onClick={pressed}>
      Quick buy
    </button>,
  )
  // Hydration begins at this line. The button's own key listener is attached at the end of hydration, with the effects.
  const early = takeEarlyPress()
  expect(early).toEqual([])
  fireEvent.keyDown(document.body, { key: 'f', code: 'KeyF' })
  expect(pressed).not.toHaveBeenCalled()
  render(<EarlyPress pressed={early} />)
  await expect.poll(() => pressed).toHaveBeenCalledOnce()
  fireEvent.keyDown(document.body, { key: 'f', code: 'KeyF' })
  render(<EarlyPress pressed={[]} />)
  await Promise.resolve()
  expect(pressed).toHaveBeenCalledOnce()
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

test('what an earlier choice gave other words, or removed, is not pressed, and neither is what follows', async () => {
  const pressed = vi.fn()
  function Page() {
    const [isDear, setIsDear] = useState(false)
    return (
      <>
        <button type="button" aria-pressed={isDear} onClick={() => setIsDear(true)}>
          Fast
        </button>
        {isDear ? null : (
          <button type="button" onClick={() => pressed('gone')}>
            200 ₽
          </button>
        )}
        <button type="button" onClick={() => pressed('other')}>
          Pay {isDear ? 900 : 500} ₽
        </button>
        <button type="button" onClick={() => pressed('same')}>
          Send
        </button>
      </>
    )
  }
  for (const name of ['200 ₽', 'Pay 500 ₽']) {
    const { unmount } = render(<Page />)
    const early = [screen.getByText('Fast'), screen.getByText(name)]
    await pressEarly(early, screen.getByText('Send'))
    screen.getByText('Pay 900 ₽')
    expect(pressed).not.toHaveBeenCalled()
    unmount()
  }
  render(<Page />)
  await pressEarly([], screen.getByText('Send'))
  expect(pressed.mock.calls).toEqual([['same']])
})
