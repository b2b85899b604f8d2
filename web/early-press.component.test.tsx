import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import './entry-early.ts'
import { EarlyPress, takeEarlyPress } from './early-press.ts'

test('a shortcut that comes while the page is being hydrated is a press of its button, once', async () => {
  const pressed = vi.fn()
  render(
    <button type="button" aria-keyshortcuts="f" onClick={pressed}>
      Fast number
    </button>,
  )
  // Hydration begins; the listener of the key comes with the effects, at its end.
  const early = takeEarlyPress()
  expect(early).toEqual([])
  fireEvent.keyDown(document.body, { key: 'f', code: 'KeyF' })
  expect(pressed).not.toHaveBeenCalled()
  render(<EarlyPress pressed={early} />)
  await vi.waitFor(() => expect(pressed).toHaveBeenCalledOnce())
  // From here on the key is its listener's.
  fireEvent.keyDown(document.body, { key: 'f', code: 'KeyF' })
  render(<EarlyPress pressed={[]} />)
  await Promise.resolve()
  expect(pressed).toHaveBeenCalledOnce()
  expect(screen.getAllByRole('button')).toHaveLength(1)
})
