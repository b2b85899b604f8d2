import { expect } from 'vitest'
import { decideInvitation } from '#server/core/programmes/referral/decide-invitation.ts'
import { decideWithdrawal } from '#server/core/programmes/referral/decide-withdrawal.ts'
import { sweepReferral } from '#server/core/programmes/referral/settle-shares.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { CommandRefused } from '#server/programs/cli/command.ts'
import { type Buyer, bought, newBuyer, newKey, type Order, withCode } from './orders.ts'
import { attempt, type Walk } from './walk.ts'
import { ask, type World } from './world.ts'

type Inviting = Buyer & { order: Order }
type Sum = { available: bigint; debt: bigint; referral: bigint; pending: bigint }

const PAYOUT = { to: 'address', network: 'play', address: 'playaddress1' }

async function inviting(world: World): Promise<Inviting> {
  const leastMicros = { rub: 10_000n, usd: 10_000n }
  Object.assign(world.t.ctx.config.programmes.referral, { percent: 10, of: 'spend', pendingDays: 0, leastMicros })
  const order = await withCode(world, await bought(world))
  const referrer = await newBuyer(world, '0')
  await world.t.ctx.db.query({
    name: 'walk-invite',
    text: 'UPDATE users SET referrer_id = $1 WHERE id = $2',
    values: [referrer.client.id, order.client.id],
  })
  return { ...referrer, order, userIds: [referrer.client.id, order.client.id], key: newKey() }
}

async function earned(world: World): Promise<Inviting> {
  const given = await inviting(world)
  await sweepReferral(world.life.ctx)
  return given
}

const sweep = (world: World) => attempt(world, () => sweepReferral(world.life.ctx))
const withdraw = (world: World, { client, key }: Inviting, more: object = { to: 'balance' }) =>
  ask(world, client, 'POST /api/v1/referral/withdrawals', { amount: '1.00', ...more, key })

async function sumOf(world: World, { client }: Inviting): Promise<Sum> {
  const { rows } = await world.t.ctx.db.query<Sum>({
    name: 'walk-referral-sum',
    text: `SELECT available_micros AS available, debt_micros AS debt, referral_micros AS referral,
        (SELECT COALESCE(sum(due_micros), 0)::bigint FROM referral_shares s WHERE s.user_id = a.user_id AND state = 'pending') AS pending
      FROM accounts a WHERE user_id = $1`,
    values: [client.id],
  })
  const [row] = rows
  if (row === undefined) throw new Error('the referrer has no account')
  return row
}

async function shareOf(world: World, { order }: Inviting): Promise<bigint> {
  const { rows } = await world.t.ctx.db.query<{ micros: bigint }>({
    name: 'walk-referral-share',
    text: `SELECT sum(amount_micros)::bigint / 10 AS micros FROM transfers WHERE kind = 'capture' AND user_id = $1`,
    values: [order.client.id],
  })
  return rows[0]?.micros ?? 0n
}

const endsWith = (wanted: (share: bigint) => Partial<Sum>) => async (world: World, given: Inviting) => {
  expect(await sumOf(world, given)).toMatchObject(wanted(await shareOf(world, given)))
}

const UNIT = 1_000_000n

const shares: Walk<Inviting>[] = [
  {
    name: 'a share that is counted and given',
    given: inviting,
    act: sweep,
    after: endsWith((referral) => ({ available: 0n, debt: 0n, referral, pending: 0n })),
  },
  {
    name: 'a share of somebody at the referrer’s own browser',
    async given(world) {
      const given = await inviting(world)
      await world.t.ctx.db.query({
        name: 'walk-same-device',
        text: 'UPDATE sessions SET device_hash = decode(md5($2::text), $3) WHERE user_id = ANY ($1)',
        values: [given.userIds, given.key, 'hex'],
      })
      return given
    },
    act: sweep,
    after: endsWith((pending) => ({ referral: 0n, pending })),
  },
  {
    name: 'a share that is taken back after it was withdrawn and spent',
    async given(world) {
      const given = await earned(world)
      await withdraw(world, given)
      const spent = { userId: given.client.id, amountMicros: -UNIT / 2n, idempotencyKey: 'spent' }
      const at = world.t.clock.now()
      await adjustBalance(world.t.ctx.db, { ...spent, at })
      await refundActivation(world.t.ctx.db, { activationId: BigInt(given.order.id), at })
      return given
    },
    act: sweep,
    after: endsWith(() => ({ available: 0n, debt: UNIT / 2n, referral: 0n })),
  },
]

const withdrawals: Walk<Inviting>[] = [
  {
    name: 'referral money that goes to the balance',
    given: earned,
    act: withdraw,
    keyed: true,
    after: endsWith((share) => ({ available: UNIT, referral: share - UNIT })),
  },
  {
    name: 'referral money that is asked for at an address',
    given: earned,
    act: (world, given) => withdraw(world, given, PAYOUT),
    keyed: true,
    after: endsWith((share) => ({ available: 0n, referral: share - UNIT })),
  },
  {
    name: 'a withdrawal that staff refuse',
    async given(world) {
      const given = await earned(world)
      await withdraw(world, given, PAYOUT)
      return given
    },
    act: (world, { client }) =>
      attempt(world, async () => {
        const { rows } = await world.t.ctx.db.query<{ id: bigint }>({
          name: 'walk-withdrawal',
          text: 'SELECT id FROM referral_withdrawals WHERE user_id = $1',
          values: [client.id],
        })
        const refusal = { id: rows[0]?.id ?? 0n, userId: client.id, to: 'refused' as const, txId: null }
        const now = world.t.clock.now()
        const row = await transaction(world.life.ctx.db, (tx) => decideWithdrawal(tx, { ...refusal, now }))
        if (row === null) throw new CommandRefused('it is refused already')
      }),
    refusals: ['REFUSED'],
    after: endsWith((share) => ({ available: 0n, referral: share })),
  },
]

async function waiting(world: World): Promise<Inviting> {
  const given = await inviting(world)
  Object.assign(world.t.ctx.config.programmes.referral, { pendingDays: 1 })
  await sweepReferral(world.life.ctx)
  return given
}

const decide =
  (state: 'cleared' | 'barred') =>
  (world: World, { client, order }: Inviting) =>
    attempt(world, () => {
      const decision = { userId: client.id, invitedId: order.client.id, state, now: world.t.clock.now() }
      return transaction(world.life.ctx.db, (tx) => decideInvitation(tx, decision))
    })

const decisions: Walk<Inviting>[] = [
  {
    name: 'an invitation that staff bar',
    given: waiting,
    act: decide('barred'),
    after: endsWith(() => ({ referral: 0n, pending: 0n })),
  },
  {
    name: 'an invitation that staff clear',
    given: waiting,
    act: decide('cleared'),
    after: endsWith((pending) => ({ referral: 0n, pending })),
  },
]

export const referralWalks = [...shares, ...withdrawals, ...decisions] as readonly Walk[]
