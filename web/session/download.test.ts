import { expect, test } from 'vitest'
import { CallError } from '#contract/calls/calls.ts'
import { createFaults } from '#web/house/stores/faults.ts'
import { createStore } from '#web/house/stores/store.ts'
import { sendFile } from '#web/support/send-file.ts'
import { type DownloadContext, downloadFile } from './download.ts'

type Answer = { status: number; type: string; body: string } | 'cut'
const CSV: Answer = { status: 200, type: 'text/csv; charset=utf-8', body: '\ufeffid,price\r\n7,12.50\r\n' }
const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})

/** Makes a context whose server gives the answers in turn. A refresh by the API client brings the token "second". */
function contextAnswering(answers: Answer[], token: string | null = 'first') {
  const asked: string[] = []
  const faults: string[] = []
  const session = createStore<{ status: 'authenticated'; token: string | null }>({ status: 'authenticated', token })
  const person = { id: 1 }
  const app = {
    session,
    queryClient: { getQueryData: () => person },
    faults: createFaults(),
    language: { get: () => ({ locale: 'en' }) },
    page: { zone: { name: 'com' } },
    api: async (key: string) => {
      asked.push(key)
      session.set({ status: 'authenticated', token: 'second' })
    },
    pause: async () => undefined,
    fetch: async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers)
      asked.push(`${url} ${headers.get('authorization')} ${headers.get('locale')} ${headers.get('zone')}`)
      const answer = answers.shift() ?? 'cut'
      if (answer === 'cut') throw new TypeError('the line was cut')
      return new Response(answer.body, { status: answer.status, headers: { 'content-type': answer.type } })
    },
  }
  app.faults.follow(({ error, call }) =>
    faults.push(`${call} ${error instanceof CallError ? error.httpStatus : error}`),
  )
  // The cast is safe, because the context has all parts that a download uses.
  return { asked, faults, person, app: app as unknown as DownloadContext }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof CallError ? [error.httpStatus, error.code, error.message] : error),
  )

// Checklist 5.5, 7.2: a download sends the query and the headers of every call.
test('a file is asked for as any call, and comes byte for byte', async () => {
  const { app, asked } = contextAnswering([CSV])
  const file = await downloadFile(app, '/api/v1/history.csv', { services_ids: ['tg', 'wa'], search: '', from: null })
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())).toBe(CSV.body)
  expect(asked).toEqual(['/api/v1/history.csv?services_ids=tg%2Cwa Bearer first en com'])
})

test('what one person asked for is not fetched or sent for another, who logged in meanwhile', async () => {
  const first = contextAnswering([json(401, { status: false, code: 'UNAUTHENTICATED', message: 'Sign in' }), CSV])
  const fetched = downloadFile(first.app, '/api/v1/history.csv', {})
  first.person.id = 2
  expect(await failureOf(fetched)).toEqual([401, 'UNAUTHENTICATED', ''])
  expect(first.asked).toEqual(['/api/v1/history.csv Bearer first en com', 'GET /api/user'])
  for (const status of [401, 503]) {
    const sender = contextAnswering([
      json(status, { status: false, code: 'X', message: '' }),
      json(201, { status: true }),
    ])
    const sent = sendFile(sender.app, new File(['x'], 'x.png', { type: 'image/png' }))
    sender.person.id = 2
    expect(await failureOf(sent)).toEqual([401, 'UNAUTHENTICATED', ''])
    expect(sender.asked.filter((line) => line.startsWith('/api/v1/support/files'))).toHaveLength(1)
  }
})

// Checklist 8.1: the message of a refusal is read from the blob body.
test('a refusal says in its own words why', async () => {
  const body = { status: false, code: 'INVALID_INPUT', message: 'Choose at most a year' }
  const { app, faults } = contextAnswering([json(422, body)])
  expect(await failureOf(downloadFile(app, '/api/v1/history.csv', {}))).toEqual([
    422,
    'INVALID_INPUT',
    'Choose at most a year',
  ])
  expect(faults).toEqual(['GET /api/v1/history.csv 422'])
})

test('a body that says nothing, and no reply at all, are failures of the server', async () => {
  const page: Answer = { status: 500, type: 'text/html', body: '<h1>Bad gateway</h1>' }
  const { app } = contextAnswering([page, page, 'cut'])
  expect(await failureOf(downloadFile(app, '/x.csv', {}))).toEqual([500, 'SERVER_ERROR', ''])
  expect(await failureOf(downloadFile(app, '/x.csv', {}))).toEqual([0, 'NO_REPLY', ''])
})

// Checklist 7.5: a failed download is repeated at most once.
test('it is asked for once more when that may help, and no more than once', async () => {
  const busy = json(503, { status: false, code: 'UNAVAILABLE', message: 'Later' })
  const { app, asked } = contextAnswering([busy, CSV, busy, busy])
  await downloadFile(app, '/x.csv', {})
  expect(asked).toHaveLength(2)
  expect(await failureOf(downloadFile(app, '/x.csv', {}))).toEqual([503, 'UNAVAILABLE', 'Later'])
  expect(asked).toHaveLength(4)
})

test('a session that ran out is renewed by the api client, before or on the way', async () => {
  const refused = json(401, { status: false, code: 'UNAUTHENTICATED', message: '' })
  const late = contextAnswering([refused, CSV])
  await downloadFile(late.app, '/x.csv', {})
  expect(late.asked).toEqual(['/x.csv Bearer first en com', 'GET /api/user', '/x.csv Bearer second en com'])
  const early = contextAnswering([CSV], null)
  await downloadFile(early.app, '/x.csv', {})
  expect(early.asked).toEqual(['GET /api/user', '/x.csv Bearer second en com'])
  const over = contextAnswering([refused, refused])
  expect(await failureOf(downloadFile(over.app, '/x.csv', {}))).toEqual([401, 'UNAUTHENTICATED', ''])
})

// Checklist 8.1: a falsy `status` in the body is a refusal, whatever the HTTP status.
test('a refusal with status 200 is no file', async () => {
  const { app, faults } = contextAnswering([json(200, { status: false })])
  expect(await failureOf(downloadFile(app, '/api/v1/history.csv', {}))).toEqual([500, 'SERVER_ERROR', ''])
  expect(faults).toEqual(['GET /api/v1/history.csv 500'])
})
