import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'

const EMAIL = 'anna@ringpost.test'

test('forgotten password: the answer names the address and nothing about accounts; back to login takes it along', async () => {
  const { user, app, sent } = await show(null, { answers: { 'POST /api/forgot-password': { status: true } } })
  app.dialogs.open('forgot', {})
  const field = await screen.findByRole('textbox', { name: 'E-mail' })
  await user.type(field, 'no address{Enter}')
  expect(sent).toEqual([])
  expect(field).toHaveProperty('ariaInvalid', 'true')
  await user.clear(field)
  await user.type(field, `${EMAIL}{Enter}`)
  expect((await screen.findByRole('status')).textContent).toContain(`If ${EMAIL} belongs to an account`)
  expect(sent.map(({ input }) => input)).toEqual([{ email: EMAIL }])
  await user.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(await screen.findByRole('textbox', { name: 'E-mail' })).toHaveProperty('value', EMAIL)
})

test('new password: the link’s token goes with it, then the login opens and names what still logs in', async () => {
  const { user, app, sent } = await show(null, {
    answers: {
      'POST /api/reset-password': { status: true, linked_profiles: ['google'], api_keys: 2, telegram_chat: 'Anna' },
      'GET /api/user': () => {
        throw refusal(401, 'UNAUTHENTICATED')
      },
    },
  })
  app.dialogs.open('recovery', { email: EMAIL, token: 'token of the link' })
  await user.type(await screen.findByLabelText('New password', { selector: 'input' }), 'a new password')
  await user.type(screen.getByLabelText('Repeat password', { selector: 'input' }), 'a new password{Enter}')
  await screen.findByRole('dialog', { name: 'Log in' })
  expect(sent[0]).toMatchObject({
    key: 'POST /api/reset-password',
    input: { email: EMAIL, token: 'token of the link' },
  })
  await screen.findByText(/Google.+2 API keys still work.+the Telegram chat Anna/u)
})

test('new password: a link that has ended is told, and the dialog keeps what was typed', async () => {
  const { user, app } = await show(null, {
    answers: {
      'POST /api/reset-password': () => {
        throw refusal(422, 'WRONG_TOKEN' as never, { message: 'The link has ended' })
      },
    },
  })
  app.dialogs.open('recovery', { email: EMAIL, token: 'old' })
  const field = await screen.findByLabelText('New password', { selector: 'input' })
  await user.type(field, 'a new password')
  await user.type(screen.getByLabelText('Repeat password', { selector: 'input' }), 'a new password{Enter}')
  await screen.findByText('The link has ended')
  expect(field).toHaveProperty('value', 'a new password')
})

test('identity: a right password continues what was interrupted, closing gives it up', async () => {
  const { user, app, sent } = await show(null, {
    session: MEMBER,
    answers: { 'POST /api/v1/user/confirm-password': { status: true } },
  })
  const confirmed = app.dialogs.proveIdentity('password', { about: 'POST /api/v1/keys' })
  await screen.findByText('To create an API key, enter your password.')
  await user.type(await screen.findByLabelText('Password', { selector: 'input' }), 'a good password{Enter}')
  expect(await confirmed).toBe(true)
  expect(sent.map(({ input }) => input)).toEqual([{ password: 'a good password' }])
  const abandoned = app.dialogs.proveIdentity('password', { about: 'DELETE /api/v1/telegram' })
  await screen.findByText('To disconnect the Telegram chat, enter your password.')
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  expect(await abandoned).toBe(false)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('confirmation: Enter confirms, Escape does not, and a second question answers the first with no', async () => {
  const { user, app } = await show(null)
  const first = app.dialogs.confirm({ text: 'Cancel the number?', action: 'Cancel it' })
  await screen.findByText('Cancel the number?')
  const second = app.dialogs.confirm({ text: 'Done with it?', action: 'Done' })
  expect(await first).toBe(false)
  const action = await screen.findByRole('button', { name: 'Done' })
  await waitFor(() => expect(document.activeElement).toBe(action))
  await user.keyboard('{Enter}')
  expect(await second).toBe(true)
  const third = app.dialogs.confirm({ text: 'Replace it?', action: 'Replace' })
  await screen.findByText('Replace it?')
  await user.keyboard('{Escape}')
  expect(await third).toBe(false)
})
