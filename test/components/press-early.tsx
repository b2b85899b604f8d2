import { render } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { EarlyPress, takeEarlyPress } from '#web/early-press.ts'

/** Repeats what was chosen and pressed before hydration. Resolves when all of it has been pressed or never will be. */
export async function pressEarly(choices: HTMLElement[], pressed: HTMLElement | null): Promise<void> {
  window.takeEarlyPress = () => ({ choices, pressed })
  const early = takeEarlyPress()
  // Test files share a window, and web/entry-early.ts sets this function for the file that tests it.
  delete window.takeEarlyPress
  render(<EarlyPress pressed={early} />)
  // A second row with one more press begins later, so its end proves that the first row has ended.
  const element = document.createElement('i')
  const counted = vi.fn()
  element.addEventListener('click', counted)
  document.body.append(element)
  render(<EarlyPress pressed={[...early, null].map(() => ({ element }))} />)
  await expect.poll(() => counted.mock.calls.length).toBeGreaterThan(early.length)
  element.remove()
}
