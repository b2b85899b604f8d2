import { act, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/live-events.ts'
import { activationRecord } from '#test/builders/activation-record.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { copyText } from '#web/ui/initial/copy-text.ts'
import { CodeArrival } from './code-arrival.tsx'
import { CodeFace } from './code-face.tsx'

const message = {
  id: 9,
  sender: 'Telegram',
  text: 'code: 48213',
  code: '48213',
  received_at: '2026-05-01T12:01:00.000Z',
}
const codeCame: LiveEvent = {
  name: 'NewCode',
  payload: { kind: 'activation', record: activationRecord({ state: 'received', messages: [message] }), message },
}

function listen(): string[] {
  const heard: string[] = []
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    heard.push(`${new URL(this.src).pathname} ${this.volume}`)
    return Promise.resolve()
  })
  onTestFinished(() => play.mockRestore())
  return heard
}

async function showArrival(settings: Partial<typeof anna.settings>, at: string) {
  const user = { ...anna, settings: { ...anna.settings, sound: 'wood' as const, volume: 40, ...settings } }
  return await show(<CodeArrival />, { session: { ...MEMBER, user }, at })
}

test('4.13: a new code is chimed, spoken and, away from its ticket, alerted: once, however often it is told', async () => {
  const heard = listen()
  const { app } = await showArrival({ sound_new_sms: true }, '/history')
  act(() => app.live.emit(codeCame))
  act(() => app.live.emit(codeCame))
  expect(heard).toEqual(['/sounds/wood.wav 0.4'])
  expect(document.querySelector('[aria-live=assertive]')?.textContent).toMatch(/Telegram.*48213|48213.*Telegram/u)
  expect(app.alerts.queue.get().shown).toHaveLength(1)
})

test('4.13: it is silent for who wants no sound, and no alert covers the ticket that shows it', async () => {
  const heard = listen()
  const { app } = await showArrival({ sound_new_sms: false }, '/activations')
  act(() => app.live.emit(codeCame))
  expect(document.querySelector('[aria-live=assertive]')?.textContent).toContain('48213')
  expect(heard).toEqual([])
  expect(app.alerts.queue.get().shown).toEqual([])
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
})

test('OP-1: a closed notice is spoken once, and its words when it was opened; no sound, no alert, no title', async () => {
  const heard = listen()
  const { app } = await showArrival({ sound_new_sms: true }, '/history')
  const closed = { ...message, sender: '', text: '', code: null, withheld: true as const, notice: true as const }
  const change = (record: Parameters<typeof activationRecord>[0]) =>
    act(() => {
      const payload = { record: activationRecord(record), names: { service: {}, country: {} }, balance: null }
      app.live.emit({ name: 'ActivationChanged', payload } as LiveEvent)
    })
  const spoken = () => document.querySelector('[aria-live=assertive]')?.textContent
  const title = document.title
  change({ messages: [closed] })
  expect(spoken()).toBe('Telegram: a notice without a code arrived')
  const { withheld: _, ...opened } = { ...closed, text: 'New sign-in from Chrome' }
  change({ state: 'received', money: 'captured', messages: [opened] })
  expect(spoken()).toBe('Telegram: New sign-in from Chrome')
  expect([heard, app.alerts.queue.get().shown, document.title]).toEqual([[], [], title])
})

test('23: another tab shows a code in title and icon, until the page is seen', async () => {
  const isSeen = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  onTestFinished(() => isSeen.mockRestore())
  const icon = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'icon' }))
  icon.setAttribute('href', '/favicon.svg')
  onTestFinished(() => icon.remove())
  // A code of an earlier test may still be in the title.
  dispatchEvent(new Event('focus'))
  const title = 'Numbers'
  document.title = title
  const { app } = await showArrival({ sound_new_sms: false }, '/activations')
  act(() => app.live.emit(codeCame))
  expect([document.title, icon.getAttribute('href')]).toEqual(['48213 — Telegram', '/favicon-code.svg'])
  act(() => {
    dispatchEvent(new Event('focus'))
  })
  expect([document.title, icon.getAttribute('href')]).toEqual([title, '/favicon.svg'])
})

async function showCopied(writeText: () => Promise<void>) {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  onTestFinished(() => write.mockRestore())
  const user = { ...anna, settings: { ...anna.settings, sound_new_sms: false, copying_code: true } }
  const face = <CodeFace code="48213">{null}</CodeFace>
  const shown = await show([<CodeArrival key="arrival" />, <div key="face">{face}</div>], {
    session: { ...MEMBER, user },
  })
  act(() => shown.app.live.emit(codeCame))
  await vi.waitFor(() => expect(write).toHaveBeenCalledWith('48213'))
  return shown
}

test('N-5: the ticket says of a code that was copied as it came that it is copied, until something else is', async () => {
  await showCopied(() => Promise.resolve())
  await screen.findByText('Code copied')
  await act(() => copyText('+77050001122'))
  screen.getByText('Copy code')
})

test('N-5: where the browser refused, the ticket asks for a press, which copies', async () => {
  const refused = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => refused.mockRestore())
  let tries = 0
  await showCopied(() => {
    tries += 1
    return tries === 1 ? Promise.reject(new DOMException('not focused', 'NotAllowedError')) : Promise.resolve()
  })
  const told = await screen.findByText('Press to copy')
  expect(told.className).toContain('copy-refused')
  await act(async () => screen.getByRole('button', { name: /48213/ }).click())
  await screen.findByText('Code copied')
  expect(tries).toBe(2)
})
