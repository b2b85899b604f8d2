import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER, SETTINGS, VISITOR } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import type { PageData } from '#web/house/page-data.ts'

async function showRegistration(answers: Answers = {}, captchaEnabled = '0', session: PageData['session'] = VISITOR) {
  const shown = await show(null, { answers, settings: { captchaEnabled }, session })
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

test('2.14: three fields, a consent that links both documents, "Send code", and then the code of the e-mail', async () => {
  const { fill, agree, submit } = await showRegistration({
    'POST /api/register': { status: true, action: 'verify-email' },
  })
  const dialog = screen.getByRole('dialog', { name: 'Register' })
  const fields = [...dialog.querySelectorAll('input')].map(({ name, type }) => `${name} ${type}`)
  expect(fields).toEqual(['email email', 'password password', 'password_confirmation password', 'agree checkbox'])
  const documents = within(dialog).getAllByRole('link')
  expect(documents.map((link) => link.getAttribute('href'))).toEqual(['/terms-of-use', '/privacy-policy'])
  expect(screen.getByRole('checkbox')).toHaveProperty('checked', false)
  await fill()
  await agree()
  await submit()
  const code = within(await screen.findByRole('dialog', { name: 'Check your e-mail' }))
  code.getByText('anna@ringpost.test')
  expect(code.getAllByRole('textbox')).toHaveLength(6)
})

test.each([
  ['0', []],
  ['1', []],
  ['2', ['GET /api/v1/captcha']],
])('5.6: captchaEnabled "%s" asks before the form for %j', async (captchaEnabled, asked) => {
  const { fill, agree, submit, sent } = await showRegistration(
    {
      // An empty challenge cannot be solved, because the solver is a worker, which only a real browser runs.
      'GET /api/v1/captcha': {} as never,
      'POST /api/register': { status: true, action: 'verify-email' },
    },
    captchaEnabled,
  )
  await fill()
  await agree()
  await submit()
  await screen.findByRole('dialog', { name: 'Check your e-mail' })
  expect(sent.map(({ key }) => key)).toEqual([...asked, 'POST /api/register'])
})

test('4.6: the code signs in without the password once more; closing before that drops what was typed and said', async () => {
  const { fill, agree, submit, user, field, app, sent } = await showRegistration({
    'POST /api/register': { status: true, action: 'verify-email' },
    'POST /api/verify-email': { status: true, token: 'new', user: anna },
    'GET /api/content/settings': SETTINGS,
  })
  await fill()
  await submit()
  await screen.findByText('To continue, check the box')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => app.dialogs.open('registration', {}))
  await screen.findByRole('dialog', { name: 'Register' })
  for (const name of ['E-mail', 'Password', 'Repeat password']) expect(field(name)).toHaveProperty('value', '')
  expect(screen.queryByText('To continue, check the box')).toBeNull()
  await fill()
  await agree()
  await submit()
  await user.click(await screen.findByLabelText('Code from the e-mail', { selector: 'input' }))
  await user.keyboard('123456{Enter}')
  await waitFor(() => expect(app.session.get()).toEqual({ status: 'authenticated', token: 'new' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.filter(({ key }) => key.startsWith('POST')).map(({ input }) => Object.keys(input as object))).toEqual([
    ['email', 'password', 'password_confirmation', 'agree'],
    ['email', 'code'],
  ])
})

const guest = { ...anna, email: '', balance: '81.22', guest: true } as const
const KEPT = /your numbers, your history and 81\.22.+ of play money\.$/u

test.each([
  ['the same user: what was kept is told', guest.id, 1],
  ['another user: nothing was kept', guest.id + 1, 0],
])('a guest is told what a registration keeps; after it the guest is %s', async (_who, id, told) => {
  const user = { ...anna, id, balance: '81.22' }
  const shown = await showRegistration(
    {
      'POST /api/register': { status: true, action: 'verify-email' },
      'POST /api/verify-email': { status: true, token: 'new', user },
      'GET /api/user': user,
      'GET /api/content/settings': SETTINGS,
    },
    '0',
    { ...MEMBER, user: guest },
  )
  expect(screen.getByText(KEPT).textContent).toMatch(/^You keep /)
  await shown.fill()
  await shown.agree()
  await shown.submit()
  await shown.user.click(await screen.findByLabelText('Code from the e-mail', { selector: 'input' }))
  await shown.user.keyboard('123456{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { shown: seen, waiting } = shown.app.alerts.queue.get()
  const alerts = [...seen, ...waiting].map(({ text }) => text)
  expect(alerts.filter((text) => text.startsWith('Saved: ') && KEPT.test(text))).toHaveLength(told)
})

test('a visitor has nothing to keep, and is told of nothing', async () => {
  await showRegistration()
  expect(screen.queryByText(/play money/)).toBeNull()
})

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

test('4.6: what was typed is sent once, the address trimmed; then the code is asked for', async () => {
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

test('registration: "Use another e-mail" gives the form back as it was typed', async () => {
  const { fill, agree, submit, user, field } = await showRegistration({
    'POST /api/register': { status: true, action: 'verify-email' },
  })
  await fill()
  await agree()
  await submit()
  await user.click(await screen.findByRole('button', { name: 'Use another e-mail' }))
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
