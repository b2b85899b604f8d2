import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { usePanelKeys } from './use-panel-keys.ts'

async function showKeys() {
  const pressed: string[] = []
  function Panel() {
    usePanelKeys({
      search: () => pressed.push('search'),
      buy: () => pressed.push('buy'),
      back: () => pressed.push('back'),
    })
    return (
      <main id="main" tabIndex={-1}>
        <input aria-label="Field" />
        <button type="button">Button</button>
      </main>
    )
  }
  return { ...(await show(<Panel />)), pressed }
}

test('the keys work from the page itself: / searches, Enter buys, Escape steps back', async () => {
  const { user, pressed } = await showKeys()
  await user.keyboard('/{Enter}{Escape}')
  screen.getByRole('main').focus()
  await user.keyboard('{Enter}')
  expect(pressed).toEqual(['search', 'buy', 'back', 'buy'])
})

test('what is typed into a field is no key, and Enter on a button is the button’s', async () => {
  const { user, pressed } = await showKeys()
  const field = screen.getByRole('textbox', { name: 'Field' })
  await user.type(field, 'a/b{Enter}')
  expect(field).toHaveProperty('value', 'a/b')
  screen.getByRole('button', { name: 'Button' }).focus()
  await user.keyboard('{Enter}')
  expect(pressed).toEqual([])
  await user.keyboard('/')
  expect(pressed).toEqual(['search'])
})

test('a held key, a key with a modifier, one of an input method, and one that was handled buy nothing', async () => {
  const { pressed } = await showKeys()
  for (const change of [
    { repeat: true },
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
    { isComposing: true },
  ]) {
    fireEvent.keyDown(document.body, { key: 'Enter', ...change })
  }
  const handled = (event: KeyboardEvent) => event.preventDefault()
  document.body.addEventListener('keydown', handled)
  fireEvent.keyDown(document.body, { key: 'Enter' })
  document.body.removeEventListener('keydown', handled)
  expect(pressed).toEqual([])
})

test('under an open dialog the panel hears no key; Escape closes the dialog alone', async () => {
  const { user, app, pressed } = await showKeys()
  const answer = app.dialogs.confirm({ text: 'Cancel the number?', action: 'Cancel it' })
  await screen.findByRole('dialog')
  fireEvent.keyDown(document.body, { key: 'Enter' })
  await user.keyboard('{Escape}')
  expect(await answer).toBe(false)
  expect(pressed).toEqual([])
})
