import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { nameService } from '#test/builders/sender-book.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { learnSenders } from './learn-senders.ts'
import { loadSenders } from './load-senders.ts'
import { pendingMatchesOf } from './pending-matches.ts'
import { senderBookOf } from './sender-book.ts'

const TEXT = { ds: 'Your Discord verification code is: 482913', ij: 'Your Revolut verification code is 482-913.' }

function note(t: TestApp, user: TestUser, { sender, serviceCode }: { sender: string; serviceCode: 'ds' | 'ij' }): void {
  const naming = nameService(senderBookOf(t.ctx), { sender, text: TEXT[serviceCode] })
  pendingMatchesOf(t.ctx).note(senderBookOf(t.ctx), { sender, naming, serviceCode, userId: user.id })
}

async function learn(t: TestApp): Promise<void> {
  await learnSenders(t.ctx)
  await loadSenders(t.ctx)
}

function named(t: TestApp, sender: string): string {
  const naming = nameService(senderBookOf(t.ctx), { sender, text: 'Your code is 482913' })
  return 'services' in naming ? `${naming.kind} ${naming.services.join(' ')}` : naming.kind
}

async function usersOf(t: TestApp, count: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: count }, () => t.makeUser()))
}

test('a sender is learnt from five older accounts on three days, and forgotten when it brings another family', async () => {
  await using t = await startTestApp()
  const users = await usersOf(t, 7)
  const [first, second, third, fourth, fifth, sixth, seventh] = users
  if (!first || !second || !third || !fourth || !fifth || !sixth || !seventh) throw new Error('seven users were made')
  const ds = { sender: 'DiscSMS', serviceCode: 'ds' } as const
  for (const user of users) note(t, user, ds)
  await learn(t)
  t.clock.advance(8 * DAY)
  for (let turn = 0; turn < 20; turn += 1) note(t, first, ds)
  for (const user of [second, third, fourth]) note(t, user, ds)
  await learn(t)
  expect(named(t, 'DiscSMS')).toBe('none')
  t.clock.advance(DAY)
  note(t, fifth, ds)
  await learn(t)
  expect(named(t, 'DiscSMS')).toBe('none')
  t.clock.advance(DAY)
  note(t, sixth, ds)
  await learn(t)
  expect(named(t, 'discsms')).toBe('named ds')
  note(t, seventh, { sender: 'DiscSMS', serviceCode: 'ij' })
  await learn(t)
  expect(named(t, 'DiscSMS')).toBe('none')
})

test('gateway names, numbers, operators, known senders and guesses teach nothing', async () => {
  await using t = await startTestApp()
  const users = await usersOf(t, 5)
  t.clock.advance(8 * DAY)
  for (let day = 0; day < 3; day += 1) {
    for (const user of users) {
      for (const sender of ['AUTHMSG', '+447900000000', '22395', 'MegaFon', 'WhatsApp', 'A'.repeat(12)]) {
        note(t, user, { sender, serviceCode: 'ds' })
      }
      const byElimination = { kind: 'none' } as const
      pendingMatchesOf(t.ctx).note(senderBookOf(t.ctx), {
        sender: 'Shop',
        naming: byElimination,
        serviceCode: 'ds',
        userId: user.id,
      })
      const bySender = { kind: 'named', by: 'sender', services: ['ds'], family: 'ds' } as const
      pendingMatchesOf(t.ctx).note(senderBookOf(t.ctx), {
        sender: 'Shop',
        naming: bySender,
        serviceCode: 'ds',
        userId: user.id,
      })
    }
    await learn(t)
    t.clock.advance(DAY)
  }
  const { rows } = await t.ctx.db.query({ text: 'SELECT sender FROM sender_matches' })
  expect(rows).toEqual([])
  expect(named(t, 'WhatsApp')).toBe('named wa bye')
})
