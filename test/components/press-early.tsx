import { render } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { EarlyPress, takeEarlyPress } from '#web/early-press.ts'

/** Repeats what was chosen and pressed before hydration. Resolves when all of it has been pressed, or will never be. */
export async function pressEarly(choices: HTMLElement[], pressed: HTMLElement | null): Promise<void> {
  window.takeEarlyPress = () => ({ choices, pressed })
  const early = takeEarlyPress()
  // Files share a window; web/entry-early.ts sets it for the one that tests it.
  delete window.takeEarlyPress
  render(<EarlyPress pressed={early} />)
  // A row that begins later and is longer ends later.
  const element = document.createElement('i')
  const counted = vi.fn()
  element.addEventListener('click', counted)
  document.body.append(element)
  render(<EarlyPress pressed={[...early, null].map(() => ({ element }))} />)
  await expect.poll(() => counted.mock.calls.length).toBeGreaterThan(early.length)
  element.remove()
}
