import { MINUTE } from '#contract/time.ts'
import { payRewards } from '#server/core/programmes/loyalty/pay-rewards.ts'
import { findPeriodAt } from '#server/core/programmes/loyalty/queries.ts'
import { endBonusRule, insertBonusRule } from '#server/programs/cli/queries/bonuses.ts'
import { all, begun, dispute, endsWith, type Paying, paid, tell, webhook } from './payment-walks.ts'
import { attempt, type Walk } from './walk.ts'
import type { World } from './world.ts'

let rules = 0

/** Begins a payment for which a bonus rule promised 100.00. The rule ends at once, so that no other payment gets it. */
async function promised(world: World): Promise<Paying> {
  rules += 1
  const { db, clock } = world.t.ctx
  const [name, now] = [`walk-${rules}`, clock.now()]
  await insertBonusRule(db, {
    name,
    kind: 'first',
    currency: 'rub',
    leastMicros: 0n,
    points: null,
    amountMicros: 100_000_000n,
    mostMicros: null,
    beginsAt: now,
    endsAt: null,
    now,
  })
  const paying = await begun(world)
  await endBonusRule(db, { name, now: clock.now() })
  return paying
}

async function afterWeek(world: World): Promise<Paying> {
  const { ctx } = world.t
  await payRewards(ctx)
  const paying = await paid(world)
  const period = await findPeriodAt(ctx.db, ctx.clock.now())
  if (period === null) throw new Error('there is no week')
  await ctx.db.query({
    name: 'walk-ranks',
    text: 'UPDATE loyalty_ranks SET top_up_micros = 500000000 WHERE period_id = $1 AND top_up_micros = 1000000000',
    values: [period.id],
  })
  world.t.clock.advance(period.ends_at.getTime() - ctx.clock.now().getTime() + 11 * MINUTE)
  return paying
}

const pay = (world: World) => attempt(world, () => payRewards(world.life.ctx))

const walks: readonly Walk<Paying>[] = [
  {
    name: 'a bonus that a rule promised',
    async given(world) {
      const paying = await promised(world)
      tell(world, paying, all(paying))
      return paying
    },
    act: webhook,
    after: endsWith({ state: 'paid', available: '60000', debt: '0' }),
  },
  {
    name: 'a reward for a week of top-ups',
    given: afterWeek,
    act: pay,
    after: endsWith({ state: 'paid', available: '52000', debt: '0' }),
  },
  {
    name: 'a reward whose top-up is disputed after it was paid',
    async given(world) {
      const paying = await afterWeek(world)
      await payRewards(world.t.ctx)
      tell(world, paying, all(paying, [dispute('open', paying)]))
      await webhook(world, paying)
      await world.life.ctx.background.idle()
      return paying
    },
    act: pay,
    after: endsWith({ state: 'disputed', available: '0', debt: '0' }),
  },
]

export const programmeWalks = walks as readonly Walk[]
