import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { anna, MEMBER, VISITOR } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { useDialogs } from '#web/house/app-context.ts'
import type { DialogName, DialogProps } from '#web/house/stores/dialog-store.ts'
import { applyEventToCache } from '#web/live/apply-to-cache.ts'

const EMAIL = 'anna@ringpost.test'
const never = () => new Promise<never>(() => undefined)
const DIALOGS: { [Name in DialogName]?: [props: DialogProps[Name], title: string] } = {
  login: [{}, 'Log in'],
  registration: [{}, 'Register'],
  recovery: [{ email: EMAIL, token: 't' }, 'New password'],
  forgot: [{}, 'Forgot your password?'],
  fastNumber: [{}, 'Quick buy'],
  reward: [{}, 'Channel reward'],
  faCode: [{ firstFactor: { email: EMAIL, password: 'p' } }, 'Two-factor login'],
  is2fa: [{ by: 'password', about: 'POST /api/v1/keys', passkey: false, answer: () => undefined }, 'Confirm it’s you'],
  verifyEmail: [{ email: EMAIL }, 'Confirm your e-mail'],
  activation: [{ kind: 'activation', id: 1 }, 'Messages'],
  loader: [{ purpose: 'signIn' }, 'Logging in'],
}

// This test stands first, because the dialogs of a later one would have loaded already.
test('a dialog that a pointer announced opens in the frame of the press', async () => {
  // test/components/set-up.ts saves data, which keeps all preloads away.
  const saves = Object.getOwnPropertyDescriptor(navigator, 'connection') ?? {}
  onTestFinished(() => {
    Object.defineProperty(navigator, 'connection', saves)
  })
  Object.defineProperty(navigator, 'connection', { ...saves, value: { effectiveType: '4g' } })
  const { app } = await show(null)
  fireEvent.pointerOver(document.body)
  await vi.dynamicImportSettled()
  for (const [name, title] of [
    ['login', 'Log in'],
    ['registration', 'Register'],
  ] as const) {
    act(() => app.dialogs.open(name, {}))
    screen.getByRole('dialog', { name: title })
    act(() => app.dialogs.close(name))
  }
})

test.each(Object.entries(DIALOGS))('2.13: the dialog %s opens under its flag', async (name, [props, title]) => {
  const isMembers = ['fastNumber', 'reward', 'activation', 'is2fa'].includes(name)
  const { app } = await show(null, {
    session: isMembers ? MEMBER : VISITOR,
    settings: { telegramSubscribeReward: '50.00' },
    answers: {
      'GET /api/v1/activations/{id}': never,
      'GET /api/user/latest-purchases': never,
      'GET /api/v1/telegram': never,
      'GET /api/services': never,
      'GET /api/countries': never,
    },
  })
  act(() => app.dialogs.open(name as DialogName, props as never))
  const dialog = await screen.findByRole('dialog', { name: title })
  if (name === 'loader') expect(dialog.getAttribute('aria-busy')).toBe('true')
  act(() => app.dialogs.close(name as DialogName))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('4.7: who is signed in is told so, and neither dialog opens', async () => {
  function Doors() {
    const { open } = useDialogs()
    return (
      <>
        <button type="button" onClick={() => open('login', {})}>
          in
        </button>
        <button type="button" onClick={() => open('registration', {})}>
          up
        </button>
      </>
    )
  }
  const { user, app } = await show(<Doors />, { session: MEMBER })
  for (const name of ['in', 'up']) {
    await user.click(screen.getByRole('button', { name }))
    await screen.findByText('You’re already logged in')
    const [alert] = app.alerts.queue.get().shown
    expect([alert?.type, app.dialogs.state.get().flags]).toEqual(['info', {}])
    act(() => app.alerts.dismiss(alert?.id ?? ''))
  }
})

test('4.13: the open dialog of a number shows its code as it comes, whether it had loaded or not', async () => {
  const message = {
    id: 9,
    sender: 'Telegram',
    text: 'code: 48213',
    code: '48213',
    received_at: '2026-05-01T12:01:00.000Z',
  }
  const later = { ...message, id: 10, text: 'code: 55511', code: '55511' }
  const record = activationRecord({ state: 'received', money: 'captured', code: '48213', messages: [message] })
  const loaded = Promise.withResolvers<{ status: true; data: typeof record }>()
  const { app } = await show(null, {
    session: MEMBER,
    answers: { 'GET /api/v1/activations/{id}': () => loaded.promise, 'GET /api/user': anna },
  })
  act(() => app.dialogs.open('activation', { kind: 'activation', id: 1 }))
  await screen.findByRole('dialog', { name: 'Messages' })
  const tell = (event: Parameters<typeof applyEventToCache>[1]) => act(() => applyEventToCache(app.queryClient, event))
  tell({ name: 'NewCode', payload: { kind: 'activation', record, message } })
  await act(async () => loaded.resolve({ status: true, data: activationRecord() }))
  await screen.findByText('48213')
  const both = activationRecord({ ...record, code: '55511', messages: [later, message] })
  tell({ name: 'NewCode', payload: { kind: 'activation', record: both, message: later } })
  await screen.findByText('55511')
  screen.getByText('48213')
})

test('N-11: the frame of a dialog is there before its code, and the code of the first ones comes while nothing happens', async () => {
  let idle: () => void = () => undefined
  vi.stubGlobal('requestIdleCallback', (run: () => void) => {
    idle = run
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const { app } = await show(null, { session: VISITOR })
  act(() => idle())
  act(() => app.dialogs.open('extend', { id: 1 } as never))
  const frame = document.querySelector('.veil[aria-busy=true]')
  expect(frame?.querySelectorAll('.skeleton').length).toBeGreaterThan(2)
  await waitFor(() => expect(document.querySelector('.veil[aria-busy=true]')).toBeNull())
})
