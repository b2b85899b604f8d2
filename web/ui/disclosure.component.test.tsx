import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { Disclosure } from './disclosure.tsx'

async function showMenu() {
  const shown = await show(
    // The main element takes the focus of a press inside it, as in the page's layout.
    <main tabIndex={-1}>
      <Disclosure label="Menu" button="…" buttonLook="" panelLook="">
        {(close) => (
          <>
            <button type="button">First</button>
            <p>Plain words</p>
            <button type="button" onClick={close}>
              Last
            </button>
          </>
        )}
      </Disclosure>
      <button type="button">Behind</button>
    </main>,
  )
  return { ...shown, toggle: screen.getByRole('button', { name: 'Menu' }) }
}
const isOpen = () => screen.queryByRole('button', { name: 'First' }) !== null

test('by keyboard: Enter opens, Tab walks through it and closes behind it', async () => {
  const { user, toggle } = await showMenu()
  await user.tab()
  await user.keyboard('{Enter}')
  expect(toggle).toHaveProperty('ariaExpanded', 'true')
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'First' }))
  await user.tab()
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Behind' }))
  expect(isOpen()).toBe(false)
})

test('Escape closes it, gives the focus back, and reaches nothing else', async () => {
  const { user, toggle } = await showMenu()
  const heard: string[] = []
  const listen = ({ key }: KeyboardEvent) => heard.push(key)
  document.addEventListener('keydown', listen)
  await user.click(toggle)
  await user.click(screen.getByRole('button', { name: 'First' }))
  await user.keyboard('{Escape}')
  document.removeEventListener('keydown', listen)
  expect(isOpen()).toBe(false)
  expect(document.activeElement).toBe(toggle)
  expect(heard).not.toContain('Escape')
})

test('a press outside closes it; one on its own words does not', async () => {
  const { user, toggle } = await showMenu()
  await user.click(toggle)
  await user.click(screen.getByText('Plain words'))
  expect(isOpen()).toBe(true)
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Behind' }))
  expect(isOpen()).toBe(false)
})

test('an action that closes it gives the focus back', async () => {
  const { user, toggle } = await showMenu()
  await user.click(toggle)
  await user.click(screen.getByRole('button', { name: 'Last' }))
  expect(isOpen()).toBe(false)
  expect(document.activeElement).toBe(toggle)
})
