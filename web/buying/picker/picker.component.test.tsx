import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import { PanelModeContext } from '#web/buying/panel/panel-mode.ts'
import type { CatalogList } from './catalog-queries.ts'
import { Picker } from './picker.tsx'
import type { PickerItem } from './picker-row.tsx'
import { ROW_HEIGHT_PX } from './row-window.ts'

function item(name: string, change: Partial<PickerItem> = {}): PickerItem {
  const measured = { price: '5.00', count: 9, success_share: null, median_seconds: null }
  return { id: name.toLowerCase(), name, ...measured, is_favorite: false, ...change }
}
const SHOWN = [item('Telegram'), item('Tinder', { is_favorite: true }), item('Viber')]

type Picked = { id: PickerItem['id']; byKeyboard: boolean }

async function showPicker(first: Partial<CatalogList<PickerItem>> = {}, answers: Answers = {}) {
  const picked: Picked[] = []
  const wanted = { all: 0, retries: 0 }
  let load: (change: Partial<CatalogList<PickerItem>>) => void = () => undefined
  const retry = () => {
    wanted.retries += 1
  }
  const wantAll = () => {
    wanted.all += 1
  }
  function Panel() {
    const whole = { items: SHOWN, count: 3, favorites: 1, stale: false, complete: true, failed: false }
    const [list, setList] = useState<CatalogList<PickerItem>>({ ...whole, ...first, retry })
    load = (change) => act(() => setList((before) => ({ ...before, ...change })))
    return (
      <PanelModeContext value={ACTIVATION_MODE}>
        <Picker
          kind="service"
          list={list}
          selectedId={null}
          from={false}
          signedIn
          renderIcon={() => null}
          onPick={({ id }, byKeyboard) => picked.push({ id, byKeyboard })}
          onWantAll={wantAll}
        />
      </PanelModeContext>
    )
  }
  const shown = await show(<Panel />, { session: MEMBER, answers })
  const field = screen.getByRole('searchbox', { name: 'Find a service' })
  return { ...shown, field, picked, wanted, load: (change: Partial<CatalogList<PickerItem>>) => load(change) }
}

const names = () =>
  within(screen.getByRole('list', { name: 'Service' }))
    .getAllByRole('button', { pressed: false })
    .map((button) => button.querySelector('.picker-name')?.textContent)
    .filter((name) => name !== undefined)

test('what is typed narrows the list, and Enter picks its first row by keyboard', async () => {
  const { user, field, picked } = await showPicker()
  await user.type(field, 'vib')
  await waitFor(() => expect(names()).toEqual(['Viber']))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(picked).toEqual([{ id: 'viber', byKeyboard: true }]))
  expect(field).toHaveProperty('value', '')
  await waitFor(() => expect(names()).toHaveLength(3))
})

test('SP-6: near the end of the scroll 20 rows are appended, also when the list comes later than the scroll', async () => {
  const many = Array.from({ length: 50 }, (_, index) => item(`Service ${index}`))
  const { wanted, load } = await showPicker({ items: many.slice(0, 20), count: 50, complete: false })
  const rows = screen.getByRole('list', { name: 'Service' })
  const shown = () => Number.parseInt(rows.style.height, 10) / ROW_HEIGHT_PX
  const scroll = () => fireEvent.scroll(rows.parentElement ?? rows)
  expect([shown(), wanted.all]).toEqual([20, 0])
  scroll()
  expect([shown(), wanted.all]).toEqual([20, 1])
  load({ items: many, complete: true })
  expect(shown()).toBe(40)
  scroll()
  expect(shown()).toBe(50)
})

test('H-3: with favourites only, Enter picks none of the rows that are hidden', async () => {
  const { user, field, picked } = await showPicker()
  await user.click(screen.getByRole('button', { name: 'Favourites only: 1' }))
  await waitFor(() => expect(names()).toEqual(['Tinder']))
  await user.type(field, 't{Enter}')
  await waitFor(() => expect(picked).toEqual([{ id: 'tinder', byKeyboard: true }]))
  await user.type(field, 'viber{Enter}')
  await screen.findByText('Nothing found. Try another word.')
  expect(picked).toHaveLength(1)
})

test('H-3: while only the first page is there, Enter waits for the whole list, whose best match it picks', async () => {
  const { user, field, picked, wanted, load } = await showPicker({ complete: false })
  await user.type(field, 'tele2{Enter}')
  expect(wanted.all).toBeGreaterThan(0)
  expect(picked).toEqual([])
  load({ items: [...SHOWN, item('Tele2')], complete: true })
  await waitFor(() => expect(picked).toEqual([{ id: 'tele2', byKeyboard: true }]))
})

test('H-3: another key takes back an Enter that waits', async () => {
  const { user, field, picked, load } = await showPicker({ complete: false })
  await user.type(field, 'telegram{Enter}')
  await user.keyboard('{Backspace}')
  load({ complete: true })
  await waitFor(() => expect(names()).toEqual(['Telegram']))
  expect(picked).toEqual([])
})

test('H-3: keys of an input method are its own: neither Enter nor the arrows act while it composes', async () => {
  const { user, field, picked } = await showPicker()
  await user.type(field, 'viber')
  await waitFor(() => expect(names()).toEqual(['Viber']))
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field, { key: 'ArrowDown', isComposing: true })
  expect(document.activeElement).toBe(field)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(picked).toEqual([{ id: 'viber', byKeyboard: true }]))
})

test('Enter in an empty search picks nothing, Escape empties a full one', async () => {
  const { user, field, picked } = await showPicker()
  await user.click(field)
  await user.keyboard('{Enter}')
  await user.type(field, 'viber{Escape}')
  expect(field).toHaveProperty('value', '')
  await waitFor(() => expect(names()).toHaveLength(3))
  expect(picked).toEqual([])
})

test('arrows walk the rows, one of which alone is reached by Tab; a press of a row is no press by keyboard', async () => {
  const { user, field, picked } = await showPicker()
  await user.click(field)
  await user.keyboard('{ArrowDown}')
  const focused = () => document.activeElement?.querySelector('.picker-name')?.textContent
  expect(focused()).toBe('Telegram')
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(focused()).toBe('Viber')
  await user.keyboard('{Home}')
  expect(focused()).toBe('Telegram')
  await user.keyboard('{End}{ArrowUp}')
  expect(focused()).toBe('Tinder')
  const reached = screen
    .getAllByRole('button')
    .filter((button) => button.matches('.picker-pick') && button.tabIndex === 0)
  expect(reached).toEqual([document.activeElement])
  await user.keyboard('{Enter}')
  await user.click(screen.getByText('Viber'))
  expect(picked).toEqual([
    { id: 'tinder', byKeyboard: true },
    { id: 'viber', byKeyboard: false },
  ])
})

test('a favourite is one call, a second press during it none, and a refusal is told', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { user, sent, picked } = await showPicker({}, { 'POST /api/activation/add-to-favorite': () => promise })
  const star = screen.getByRole('button', { name: 'Add to favourites: Viber' })
  await user.click(star)
  await user.click(star)
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.input).toEqual({ type: 'service', id: 'viber' })
  reject(refusal(422, 'BAD_SERVICE', { message: 'This service doesn’t exist' }))
  await screen.findByText('This service doesn’t exist')
  expect(star.ariaPressed).toBe('false')
  expect(picked).toEqual([])
})

test('a list that failed says so and is asked for again; one that loads shows neither rows nor a word', async () => {
  const { user, wanted, load } = await showPicker({ items: [], complete: false })
  expect(screen.queryByRole('status')).toBeNull()
  load({ failed: true })
  expect(screen.getByRole('alert').textContent).toContain('The list didn’t load.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(wanted.retries).toBe(1)
})
