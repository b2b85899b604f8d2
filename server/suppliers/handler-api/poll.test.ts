import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { supplierContext } from '#server/boot/start-suppliers.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { type Account, createAccount } from './account.ts'
import { keepOpen } from './open-numbers.ts'
import { createPoll } from './poll.ts'
import type { Answered } from './wire/ask.ts'

const WAITS: Answered = {
  ...{ status: 200, text: 'STATUS_WAIT_CODE', word: 'STATUS_WAIT_CODE', rest: '', json: undefined },
  ...{ etag: null, price: undefined, unchanged: false },
}

/** Each number is asked about, so that nothing is read from the database. */
function accountOf(t: TestApp, ask: Account['ask']): Account {
  const settings = { url: 'http://127.0.0.1/x', key: 'k', dialect: 'smsbower', currency: 'rub', privateHost: true }
  const row = { id: 1, code: 'field', kind: 'handler-api', settings: { ...settings, pollSeconds: 3 } }
  return { ...createAccount(supplierContext(t.ctx), row), ask }
}

function open(account: Account, reference: string): void {
  const sold = {
    reference,
    activationId: reference,
    phone: '77051234567',
    expiresAt: null,
    rounds: 0,
    roundTaken: true,
  }
  keepOpen(account, sold)
}

test('a steady trade does not put the look for codes off', async () => {
  await using t = await startTestApp()
  let looks = 0
  const account = accountOf(t, async () => {
    looks += 1
    return WAITS
  })
  const poll = createPoll(account)
  account.wakePoll = poll.wake
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    for (let place = 0; place < 4; place += 1) {
      open(account, `${place}-1`)
      await vi.advanceTimersByTimeAsync(SECOND - 1)
    }
    expect(looks).toBeGreaterThan(0)
  } finally {
    vi.useRealTimers()
    await poll.stop()
  }
})
