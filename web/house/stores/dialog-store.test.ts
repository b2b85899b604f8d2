import { expect, test } from 'vitest'
import { createDialogStore } from './dialog-store.ts'

test('dialogs open with what they are about, side by side, and close one by one', () => {
  const dialogs = createDialogStore()
  dialogs.open('activation', { kind: 'rental', id: 7 })
  dialogs.open('login', { redirect: '/activations' })
  expect(dialogs.state.get().flags).toEqual({
    activation: { kind: 'rental', id: 7 },
    login: { redirect: '/activations' },
  })
  dialogs.close('activation')
  expect(dialogs.state.get().flags).toEqual({ login: { redirect: '/activations' } })
})

test('one dialog leads to another in one step', () => {
  const dialogs = createDialogStore()
  const seen: string[][] = []
  dialogs.open('login', { redirect: '/activations' })
  dialogs.state.subscribe(() => seen.push(Object.keys(dialogs.state.get().flags)))
  dialogs.replace('login', 'registration', { redirect: '/activations' })
  expect(seen).toEqual([['registration']])
})

test('a question is answered once and goes', async () => {
  const dialogs = createDialogStore()
  const answered = dialogs.confirm({ text: 'Cancel?', action: 'Cancel it' })
  dialogs.state.get().confirmation?.answer(true)
  expect(await answered).toBe(true)
  expect(dialogs.state.get().confirmation).toBeNull()
})

test('a new question answers the one before it with no', async () => {
  const dialogs = createDialogStore()
  const first = dialogs.confirm({ text: 'One?', action: 'Yes' })
  const second = dialogs.confirm({ text: 'Two?', action: 'Yes' })
  expect(await first).toBe(false)
  expect(dialogs.state.get().confirmation?.text).toBe('Two?')
  dialogs.state.get().confirmation?.answer(true)
  expect(await second).toBe(true)
})
