import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'

const EMAIL = 'anna@ringpost.test'
const wrongCode = () => {
  throw refusal(422, 'WRONG_CODE', { message: 'The code is wrong', errors: { code: ['The code is wrong'] } })
}
const told = async (words: string) => await within(await screen.findByRole('dialog')).findByText(words)
const box = async (label: string) => await screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' })

async function showVerifyEmail(answers: Answers, email = EMAIL) {
  const shown = await show(null, { answers })
  shown.app.dialogs.open('verifyEmail', { email })
  return { ...shown, first: await box('Code from the e-mail') }
}
async function showSecondFactor(answers: Answers) {
  const shown = await show(null, { answers })
  const firstFactor = { email: EMAIL, password: 'a good password' }
  shown.app.dialogs.open('faCode', { firstFactor })
  return { ...shown, first: await box('Code from the app') }
}

test('4.5: Enter sends it at once and once; a wrong one is told, cleared, and the boxes have the focus', async () => {
  const { user, first, sent } = await showVerifyEmail({ 'POST /api/verify-email': wrongCode })
  await user.click(first)
  await user.keyboard('123456{Enter}{Enter}')
  await told('The code is wrong')
  expect(sent.map(({ input }) => input)).toEqual([{ email: EMAIL, code: '123456' }])
  expect(first.value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(first))
  await user.keyboard('1')
  expect(within(screen.getByRole('dialog')).queryByText('The code is wrong')).toBeNull()
})

test('4.5: a whole code sends itself after a second; five digits never do', async () => {
  const { user, first, sent } = await showVerifyEmail({ 'POST /api/verify-email': wrongCode })
  await user.click(first)
  await user.keyboard('12345{Enter}')
  expect(sent).toEqual([])
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  fireEvent.paste(first, { clipboardData: { getData: () => '123456' } })
  await act(() => vi.advanceTimersByTimeAsync(999))
  expect(sent).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(sent.map(({ input }) => input)).toEqual([{ email: EMAIL, code: '123456' }])
})

test('5.4: a pasted code fills all boxes, without its spaces', async () => {
  const { first, sent } = await showVerifyEmail({ 'POST /api/verify-email': wrongCode })
  fireEvent.paste(first, { clipboardData: { getData: () => '123 456' } })
  fireEvent.keyDown(first, { key: 'Enter' })
  await waitFor(() => expect(sent.map(({ input }) => input)).toEqual([{ email: EMAIL, code: '123456' }]))
})

test('mailed code in another browser: the password is asked for, and a code that ended meanwhile only costs a code', async () => {
  const { user, first, sent } = await showVerifyEmail({
    'POST /api/verify-email': ({ code, password }) => {
      if (password === undefined) throw refusal(409, 'NEED_PASSWORD')
      if (code === '111111') throw refusal(422, 'CODE_EXPIRED', { message: 'The code has ended' })
      throw refusal(422, 'WRONG_CODE', { message: 'The code is wrong' })
    },
  })
  await user.click(first)
  await user.keyboard('111111{Enter}')
  const password = await screen.findByLabelText('Password', { selector: 'input' })
  expect(document.activeElement).toBe(password)
  await user.keyboard('a good password{Enter}')
  await user.click(await box('Code from the e-mail'))
  await user.keyboard('222222{Enter}')
  await told('The code is wrong')
  expect(sent.map(({ input }) => input)).toEqual([
    { email: EMAIL, code: '111111' },
    { email: EMAIL, code: '111111', password: 'a good password' },
    { email: EMAIL, code: '222222', password: 'a good password' },
  ])
})

test('another code: it is sent once, the pause is counted down, and the focus goes to the boxes', async () => {
  const { user, first, sent } = await showVerifyEmail({ 'POST /api/resend-verify-email': { status: true } })
  await user.dblClick(screen.getByRole('button', { name: 'Send another code' }))
  await screen.findByText(/You can request another code in/u)
  expect(sent.map(({ key }) => key)).toEqual(['POST /api/resend-verify-email'])
  expect(document.activeElement).toBe(first)
  expect(screen.queryByRole('button', { name: 'Send another code' })).toBeNull()
})

test('4.5: the pause counts down from 60 s in its cookie, and then the button is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-05-01T12:00:00.000Z') })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const set = vi.spyOn(Document.prototype, 'cookie', 'set')
  onTestFinished(() => set.mockRestore())
  const { first } = await showVerifyEmail({ 'POST /api/resend-verify-email': { status: true } }, 'boris@ringpost.test')
  fireEvent.click(screen.getByRole('button', { name: 'Send another code' }))
  await screen.findByText(/You can request another code in (1:00|0:5\d)/u)
  expect(set.mock.calls.flat()).toEqual([expect.stringMatching(/^repeat_code_boris@ringpost\.test=\d+; .*Max-Age=60;/)])
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  screen.getByText(/You can request another code in 0:[1-3]\d/u)
  await act(() => vi.advanceTimersByTimeAsync(31_000))
  screen.getByRole('button', { name: 'Send another code' })
  expect(first.value).toBe('')
})

test('second factor: the code goes with the first factor', async () => {
  const { user, first, sent } = await showSecondFactor({ 'POST /api/login': wrongCode })
  await user.click(first)
  await user.keyboard('123456{Enter}')
  await told('The code is wrong')
  expect(sent.map(({ input }) => input)).toEqual([
    { email: EMAIL, password: 'a good password', one_time_password: '123456' },
  ])
})

test('second factor: a recovery code is trimmed and sent by its button; a refusal keeps it', async () => {
  const { user, sent } = await showSecondFactor({
    'POST /api/login': () => {
      throw refusal(422, 'WRONG_CODE', { message: 'No.', errors: { one_time_password: ['Not a recovery code'] } })
    },
  })
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  const field = await screen.findByRole('textbox', { name: 'Recovery code' })
  expect(document.activeElement).toBe(field)
  await user.type(field, 'abcd-efgh {Enter}')
  await told('Not a recovery code')
  expect(sent.map(({ input }) => input)).toEqual([
    { email: EMAIL, password: 'a good password', one_time_password: 'abcd-efgh' },
  ])
  expect(field).toHaveProperty('value', 'abcd-efgh ')
})

test('second factor: a sign-in that has ended begins again with the first factor', async () => {
  const { user, first } = await showSecondFactor({
    'POST /api/login': () => {
      throw refusal(401, 'AUTH_FAILED', { message: 'Log in again' })
    },
  })
  await user.click(first)
  await user.keyboard('123456{Enter}')
  await screen.findByRole('dialog', { name: 'Log in' })
  expect(screen.queryByRole('dialog', { name: 'Two-factor login' })).toBeNull()
})
