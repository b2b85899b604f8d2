import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'

async function showRegistration(answers: Answers = {}) {
  const shown = await show(null, { answers })
  shown.app.dialogs.open('registration', {})
  await screen.findByRole('dialog', { name: 'Register' })
  const { user } = shown
  const field = (name: string) => screen.getByLabelText(name, { selector: 'input' })
  return {
    ...shown,
    field,
    fill: async (repeated = 'a good password') => {
      await user.type(field('E-mail'), ' anna@ringpost.test ')
      await user.type(field('Password'), 'a good password')
      await user.type(field('Repeat password'), repeated)
    },
    agree: () => user.click(screen.getByRole('checkbox')),
    submit: () => user.click(screen.getByRole('button', { name: 'Send code' })),
  }
}

test('registration: without consent nothing is sent, and the box says why', async () => {
  const { fill, submit, sent, agree } = await showRegistration()
  await fill()
  await submit()
  await screen.findByText('To continue, check the box')
  expect(screen.getByRole('checkbox')).toHaveProperty('ariaInvalid', 'true')
  expect(sent).toEqual([])
  await agree()
  expect(screen.queryByText('To continue, check the box')).toBeNull()
})

test('registration: a password repeated otherwise is told at the second field, and nothing is sent', async () => {
  const { fill, agree, submit, field, sent } = await showRegistration()
  await fill('a good passwort')
  await agree()
  await submit()
  expect(field('Repeat password')).toHaveProperty('ariaInvalid', 'true')
  expect(field('Password')).toHaveProperty('ariaInvalid', 'false')
  expect(document.activeElement).toBe(field('Repeat password'))
  expect(sent).toEqual([])
})

test('registration: what was typed is sent once, the address trimmed; then the code is asked for', async () => {
  const { fill, agree, user, sent } = await showRegistration({
    'POST /api/register': { status: true, action: 'verify-email' },
  })
  await fill()
  await agree()
  await user.dblClick(screen.getByRole('button', { name: 'Send code' }))
  await screen.findByRole('dialog', { name: 'Check your e-mail' })
  await screen.findByText('anna@ringpost.test')
  expect(sent).toEqual([
    {
      key: 'POST /api/register',
      input: {
        email: 'anna@ringpost.test',
        password: 'a good password',
        password_confirmation: 'a good password',
        agree: true,
      },
      idempotencyKey: undefined,
    },
  ])
})

test('registration: "Another e-mail" gives the form back as it was typed', async () => {
  const { fill, agree, submit, user, field } = await showRegistration({
    'POST /api/register': { status: true, action: 'verify-email' },
  })
  await fill()
  await agree()
  await submit()
  await user.click(await screen.findByRole('button', { name: 'Another e-mail' }))
  expect(field('E-mail')).toHaveProperty('value', 'anna@ringpost.test')
  expect(field('Password')).toHaveProperty('value', 'a good password')
  expect(screen.getByRole('checkbox')).toHaveProperty('checked', true)
})

test('registration: a refusal stands at its field and keeps all that was typed', async () => {
  const { fill, agree, submit, field } = await showRegistration({
    'POST /api/register': () => {
      throw refusal(422, 'INVALID_INPUT', { message: 'No.', errors: { email: ['No mail reaches this address'] } })
    },
  })
  await fill()
  await agree()
  await submit()
  await screen.findByText('No mail reaches this address')
  await waitFor(() => expect(document.activeElement).toBe(field('E-mail')))
  expect(field('Password')).toHaveProperty('value', 'a good password')
})

test('registration: "Log in" takes the typed address along', async () => {
  const { user, field } = await showRegistration()
  await user.type(field('E-mail'), 'anna@ringpost.test')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await screen.findByRole('dialog', { name: 'Log in' })
  expect(field('E-mail')).toHaveProperty('value', 'anna@ringpost.test')
})
