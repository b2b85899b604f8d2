import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { show } from '#test/components/show.tsx'
import { KeyField } from '#web/screens/doc/panel/key-field.tsx'
import { ReaderProvider } from '#web/screens/doc/panel/reader.tsx'
import { TryCall } from './try-call.tsx'

const BUY: ReferenceCall = {
  id: 'activations_create',
  summary: 'Buy a number for one code',
  method: 'POST',
  path: '/api/v1/activations',
  scope: 'buy',
  once: true,
  fields: [{ name: 'service_id', in: 'body', required: true, type: 'string', about: '' }],
  example: { service_id: 'tg' },
  status: 201,
  reply: '{}',
  errors: [],
  answer: null,
}
const READ: ReferenceCall = {
  ...BUY,
  id: 'activations_getById',
  method: 'GET',
  path: '/api/v1/activations/{id}',
  scope: 'read',
  once: false,
  fields: [
    { name: 'id', in: 'path', required: true, type: 'integer', about: '' },
    { name: 'wait', in: 'query', required: false, type: 'integer', about: '' },
  ],
  example: { id: 1 },
}

/** Renders the form of a call. `fetch` returns `answers` in turn, and rejects for `lost` as on a lost connection. */
async function open(call: ReferenceCall, apiKey: string, ...answers: (Response | 'lost')[]) {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw new TypeError('Failed to fetch')
  })
  onTestFinished(() => sent.mockRestore())
  const shown = await show(
    <ReaderProvider>
      <KeyField />
      <TryCall call={call} />
    </ReaderProvider>,
  )
  if (apiKey !== '') await shown.user.type(screen.getByLabelText('Your API key'), apiKey)
  await shown.user.click(screen.getByRole('button', { name: 'Try it' }))
  const press = () => shown.user.click(screen.getByRole('button', { name: 'Send the request' }))
  const agree = async () =>
    shown.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send the request' }))
  const headersOf = (at: number) => new Headers(sent.mock.calls[at]?.[1]?.headers)
  return { ...shown, sent, press, agree, headersOf }
}

const json = (status: number, body: object, headers?: Record<string, string>) =>
  new Response(JSON.stringify(body), { status, ...(headers !== undefined && { headers }) })

test('a read is made at once, with the key in a header, without cookies', async () => {
  const { press, sent, user, headersOf } = await open(READ, 'secret', json(200, { status: true }))
  await user.type(screen.getByLabelText('wait'), '30')
  await press()
  await screen.findByText('Done: 200')
  expect(sent.mock.calls[0]?.[0]).toBe('/api/v1/activations/1?wait=30')
  expect(sent.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'omit' })
  expect(headersOf(0).get('authorization')).toBe('Bearer secret')
  expect(headersOf(0).has('idempotency-key')).toBe(false)
})

test('what changes something asks first; no is no call', async () => {
  const { press, agree, sent, user, headersOf } = await open(BUY, 'secret', json(201, { status: true }))
  await press()
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Never mind' }))
  expect(sent).not.toHaveBeenCalled()
  await press()
  await agree()
  await screen.findByText('Done: 201')
  expect(sent.mock.calls[0]?.[1]?.body).toBe('{"service_id":"tg"}')
  expect(headersOf(0).get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
})

test('an unanswered purchase is repeated with its idempotency key, an answered one is another', async () => {
  const lost = json(500, { status: false, code: 'SERVER_ERROR' })
  const taken = () => json(201, { status: true })
  const { press, agree, headersOf } = await open(BUY, 'secret', 'lost', lost, taken(), taken())
  for (const told of [/^The server didn’t respond/, 'Refused: 500', 'Done: 201', 'Done: 201']) {
    await press()
    await agree()
    await screen.findByText(told)
  }
  const keys = [0, 1, 2, 3].map((at) => headersOf(at).get('idempotency-key'))
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
  expect(keys[3]).not.toBe(keys[0])
})

test('a refusal is shown with the time to come back', async () => {
  const refusal = json(429, { status: false, code: 'TOO_MANY_REQUESTS' }, { 'retry-after': '7' })
  const { press } = await open(READ, 'secret', refusal)
  await press()
  await screen.findByText('Refused: 429')
  await screen.findByText('Try again in 7 s.')
  await screen.findByText(/"TOO_MANY_REQUESTS"/)
  const remedy = await screen.findByRole('link', { name: 'How to handle TOO_MANY_REQUESTS' })
  expect(remedy.getAttribute('href')).toBe('/doc/errors#TOO_MANY_REQUESTS')
})

test.each([
  ['', 'First paste your API key at the top of the page.'],
  ['ключ', 'This key has characters that keys never contain. Copy it again.'],
])('the key “%s” is not sent', async (key, told) => {
  const { press, sent } = await open(READ, key)
  await press()
  await screen.findByText(told)
  expect(sent).not.toHaveBeenCalled()
})

test('a call for everybody needs no key', async () => {
  const { press, headersOf } = await open({ ...READ, scope: null }, '', json(200, {}))
  await press()
  await screen.findByText('Done: 200')
  expect(headersOf(0).has('authorization')).toBe(false)
})

test('what is missing in the address and a body that is no object are told, and nothing is sent', async () => {
  const read = await open(READ, 'secret')
  await read.user.clear(screen.getByLabelText('id (required)'))
  await read.press()
  await screen.findByText('This field is required because it’s part of the address.')
  expect(read.sent).not.toHaveBeenCalled()
  read.unmount()
  const buy = await open(BUY, 'secret')
  for (const text of ['[1]', 'null', 'x']) {
    await buy.user.clear(screen.getByLabelText('Body, JSON'))
    await buy.user.click(screen.getByLabelText('Body, JSON'))
    await buy.user.paste(text)
    await buy.press()
    await screen.findByText('This isn’t a JSON object.')
  }
  expect(buy.sent).not.toHaveBeenCalled()
})

test('of a long answer the beginning is shown', async () => {
  const { press } = await open(READ, 'secret', json(200, { text: 'x'.repeat(30_000) }))
  await press()
  await screen.findByText('The rest of the response isn’t shown.')
})
