import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CallError } from '#contract/calls/calls.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { inBackground } from '#web/house/in-background.ts'
import { useReadFailures } from './use-read-failures.ts'

const SERVER_ERROR = 'Server error. Try again later.'

function Parts({ name, read }: { name: string; read: () => Promise<string> }) {
  useReadFailures()
  const { data, isError, refetch } = useQuery({ queryKey: [name], queryFn: read })
  return (
    <button type="button" onClick={() => inBackground(refetch())}>
      {isError ? 'failed' : (data ?? 'loading')}
    </button>
  )
}

async function showPart(name: string, answers: (CallError | string)[]) {
  const read = () => {
    const answer = answers.shift() ?? 'read'
    return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer)
  }
  const shown = await show(<Parts name={name} read={read} />)
  const told = () => {
    const { shown: seen, waiting } = shown.app.alerts.queue.get()
    return [...seen, ...waiting].map(({ text }) => text)
  }
  return { ...shown, told, again: () => shown.user.click(screen.getByRole('button', { name: /failed|read/ })) }
}

test.each([
  ['403', 'price', refusal(403, 'FORBIDDEN', { message: 'Not for you' }), ['Not for you']],
  ['409', 'price', refusal(409, 'PRICE_CHANGED', { message: 'Somebody was first' }), ['Somebody was first']],
  ['422', 'price', refusal(422, 'INVALID_INPUT', { message: 'No such day' }), ['No such day']],
  ['429', 'price', refusal(429, 'TOO_MANY_REQUESTS', { message: 'Too often' }), ['Too often']],
  ['500', 'price', refusal(500, 'SERVER_ERROR'), [SERVER_ERROR]],
  ['502 without words', 'price', refusal(502, 'SERVER_ERROR', { message: '' }), [SERVER_ERROR]],
  ['no reply', 'price', refusal(0, 'NO_REPLY', { message: '' }), [SERVER_ERROR]],
  ['404', 'price', refusal(404, 'NOT_FOUND'), []],
  ['401', 'price', refusal(401, 'UNAUTHENTICATED'), []],
  ['500 of the settings', 'settings', refusal(500, 'SERVER_ERROR'), []],
  ['500 of the minute’s look at the user', 'user', refusal(500, 'SERVER_ERROR'), []],
])('SP-4, checklist 8.1: a read in the open page that fails is told: %s', async (_what, name, error, words) => {
  const { told } = await showPart(name, [error])
  await screen.findByText('failed')
  expect(told()).toEqual(words)
})

test('SP-4: a part that goes on failing is told once, and again after it was read', async () => {
  const down = () => refusal(500, 'SERVER_ERROR')
  const { told, again, app } = await showPart('price', ['read', down(), down(), 'read again', down()])
  await screen.findByText('read')
  await again()
  await screen.findByText('failed')
  expect(told()).toEqual([SERVER_ERROR])
  app.alerts.clearErrors()
  await again()
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
  expect(told()).toEqual([])
  await again()
  await screen.findByText('read again')
  await again()
  await screen.findByText('failed')
  expect(told()).toEqual([SERVER_ERROR])
})
