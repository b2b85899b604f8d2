import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'

test('login: what is empty is told at its field, the first one has the focus, and nothing is sent', async () => {
  const { user, app, sent } = await show(null)
  app.dialogs.open('login', {})
  const email = await screen.findByRole('textbox', { name: 'E-mail' })
  await waitFor(() => expect(document.activeElement).toBe(email))
  await user.keyboard('{Enter}')
  expect(email).toHaveProperty('ariaInvalid', 'true')
  expect(document.activeElement).toBe(email)
  expect(sent).toEqual([])
})

test('1.19: each provider that is offered here has its button, and what is not offered has none', async () => {
  const { app, unmount } = await show(null, { settings: { authProviders: ['google', 'vkontakte', 'telegram'] } })
  app.dialogs.open('login', {})
  for (const name of ['Google', 'VK', 'Telegram']) await screen.findByRole('button', { name: new RegExp(name) })
  unmount()
  const { app: other } = await show(null, { settings: { authProviders: ['google', 'telegram'] } })
  other.dialogs.open('login', {})
  await screen.findByRole('button', { name: /Google/ })
  expect(screen.queryByRole('button', { name: /VK/ })).toBeNull()
})

test('login: a refusal stands at its field and keeps what was typed', async () => {
  const { user, app, sent } = await show(null, {
    answers: {
      'POST /api/login': () => {
        throw refusal(422, 'WRONG_CREDENTIALS', { message: 'No.', errors: { password: ['Wrong'] } })
      },
    },
  })
  app.dialogs.open('login', { email: 'anna@ringpost.test' })
  const password = await screen.findByLabelText('Password')
  await user.type(password, 'secret one{Enter}')
  await screen.findByText('Wrong')
  expect(sent.map(({ key }) => key)).toEqual(['POST /api/login'])
  expect(password).toHaveProperty('value', 'secret one')
})

test('N-3: a wrong password is told at its field, though the refusal names none', async () => {
  const refuse = () => {
    throw refusal(422, 'WRONG_CREDENTIALS', { message: 'Wrong e-mail or password' })
  }
  const { user, app } = await show(null, { answers: { 'POST /api/login': refuse } })
  app.dialogs.open('login', { email: 'anna@ringpost.test' })
  const password = await screen.findByLabelText('Password')
  await user.type(password, 'secret one{Enter}')
  await within(screen.getByRole('dialog')).findByText('Wrong e-mail or password')
  expect(password).toHaveProperty('ariaInvalid', 'true')
})
