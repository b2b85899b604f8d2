import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { figuresOf, invited, type Person, spend } from '#test/builders/referral.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { mailboxOf } from './suspect.ts'

const environment = { REFERRAL_PERCENT: '10', REFERRAL_PENDING_DAYS: '1' }

const update = (t: TestApp, text: string, values: unknown[]) => t.ctx.db.query({ text, values })

const LIKENESSES: Readonly<Record<string, (t: TestApp, one: Person, other: Person) => Promise<unknown>>> = {
  email: async (t, one, other) => {
    await update(t, 'UPDATE users SET email = $2 WHERE id = $1', [one.id, `some.body+${one.id}@gmail.com`])
    await update(t, 'UPDATE users SET email = $2 WHERE id = $1', [other.id, `SomeBody+${other.id}@googlemail.com`])
  },
  device: (t, one, other) =>
    update(t, 'UPDATE sessions SET device_hash = $1 WHERE user_id = ANY ($2)', [
      Buffer.alloc(32, 7),
      [one.id, other.id],
    ]),
  network: async (t, one, other) => {
    await update(t, 'UPDATE sessions SET address = $2 WHERE user_id = $1', [one.id, '2001:db8:1:2::7'])
    await update(t, 'UPDATE sessions SET address = $2 WHERE user_id = $1', [other.id, '2001:db8:1:2:ffff::9'])
  },
  payer: async (t, one, other) => {
    const gateway = await addFakeGateway(t)
    for (const user of [one, other]) {
      const { transaction_id: transaction } = await begin(t, user)
      const [deposit] = arrived([`d-${transaction}`, 50_000]).deposits
      if (deposit === undefined) throw new Error('there is one')
      gateway.facts.set(transaction, {
        progress: 'pending',
        deposits: [{ ...deposit, payer: 'card-1' }],
        reversals: [],
      })
      await gateway.send(t, { event: `payer ${transaction}`, transaction })
    }
    await t.ctx.background.idle()
  },
}

test.each(Object.keys(LIKENESSES))(
  'the same %s as the referrer or as another invited person: the share waits for staff',
  async (reason) => {
    await using t = await startTestApp({ environment })
    const fake = await t.addFake()
    const referrer = await payer(t)
    const [self, ring, honest] = [await invited(t, referrer), await invited(t, referrer), await invited(t, referrer)]
    await spend(t, fake, honest)
    const [clean = ''] = await figuresOf(t, referrer)
    await LIKENESSES[reason]?.(t, referrer, self)
    await spend(t, fake, self)
    expect(await figuresOf(t, referrer)).toEqual([clean, clean, '0.00', '0.00'])
    t.clock.advance(2 * DAY)
    expect(await figuresOf(t, referrer)).toEqual(['0.00', clean, clean, '0.00'])
    expect((await typed(t.database, 'referral:list')).out).toContain(`user ${self.id} (${reason}`)
    const { data } = await call(t, 'GET /api/v1/referral/shares', {}, { token: referrer.token })
    expect(data.map(({ state }) => state).toSorted()).toEqual(['available', 'checking'])
    expect(await typed(t.database, 'referral:clear', String(self.id), ...WHY)).toMatchObject({ code: 0 })
    expect((await typed(t.database, 'referral:clear', String(self.id), ...WHY)).out).toContain('already')
    const [, , both = ''] = await figuresOf(t, referrer)
    expect(Number(both)).toBeCloseTo(2 * Number(clean))
    if (reason !== 'payer') {
      await LIKENESSES[reason]?.(t, ring, self)
      await spend(t, fake, ring)
      expect(await figuresOf(t, referrer)).toEqual(['0.00', clean, both, '0.00'])
      expect(await typed(t.database, 'referral:bar', String(ring.id), ...WHY)).toMatchObject({ code: 0 })
      await spend(t, fake, ring)
      t.clock.advance(2 * DAY)
      expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', both, '0.00'])
    }
    await expectRightBooks(t)
  },
)

test('one’s own proxies name nobody, and strangers are not suspected', async () => {
  await using t = await startTestApp({ environment })
  const fake = await t.addFake()
  const referrer = await payer(t)
  const buyer = await invited(t, referrer)
  for (const address of ['10.1.2.3', '172.20.0.1', '192.168.1.1', '::1', 'fd00::1', '']) {
    await update(t, 'UPDATE sessions SET address = $2 WHERE user_id = ANY ($1)', [[referrer.id, buyer.id], address])
    await spend(t, fake, buyer)
    const [, checking] = await figuresOf(t, referrer)
    expect(checking, address).toBe('0.00')
  }
  await expectRightBooks(t)
})

test.each([
  ['a.b+c@gmail.com', 'ab@gmail.com'],
  ['A.B@GoogleMail.com', 'ab@gmail.com'],
  ['a.b+c@example.org', 'a.b@example.org'],
  ['a@b@example.org', 'a@b'],
])('%s arrives at %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
