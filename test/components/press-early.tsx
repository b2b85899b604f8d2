import { render } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { EarlyPress, takeEarlyPress } from '#web/early-press.ts'

/** Repeats what a visitor chose and pressed before hydration. Resolves when nothing is left to repeat. */
export async function pressEarly(choices: HTMLElement[], pressed: HTMLElement | null): Promise<void> {
  window.takeEarlyPress = () => ({ choices, pressed })
  const early = takeEarlyPress()
  // Test files share a window, so `takeEarlyPress` must not stay.
  delete window.takeEarlyPress
  render(<EarlyPress pressed={early} />)
  // A second list has one press more and begins later than `early`, so when it ends, `early` has ended.
  const element = document.createElement('i')
  const counted = vi.fn()
  element.addEventListener('click', counted)
  document.body.append(element)
  render(<EarlyPress pressed={[...early, null].map(() => ({ element }))} />)
  await expect.poll(() => counted.mock.calls.length).toBeGreaterThan(early.length)
  element.remove()
}
