import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE } from '#contract/time.ts'
import type { SimRules } from '#server/adapters/shared/own-numbers/settings.ts'
import type { Context } from '#server/house/context.ts'

import { type TurnedSim, turnSimStates } from './queries.ts'

const ROUND_MS = MINUTE
/** The maximum number of cards changed in one round. Each change locks a number that purchases may want. */
const BATCH = 500
const LAST_DIGITS = 4
/** The time by which rounds overlap, so that the next round checks a card that was locked in one round. */
const OVERLAP_MS = 10 * MINUTE

type Sims = { supplierId: number; rules: SimRules; soldSince?: Date | null }

export function startRotation(ctx: Context, sims: Sims): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = turnUntil(ctx, sims, signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function turnUntil(ctx: Context, sims: Sims, signal: AbortSignal): Promise<void> {
  // The rules may be new, so the first round counts every sale.
  let soldSince: Date | null = null
  while (!signal.aborted) {
    try {
      const now = ctx.clock.now()
      const turned = await rotateSims(ctx, { ...sims, soldSince })
      if (turned.length < BATCH) soldSince = new Date(now.getTime() - OVERLAP_MS)
    } catch (error) {
      ctx.log.error({ error, supplierId: sims.supplierId }, 'SIM cards could not be turned')
    }
    // The wait rejects only after stop(), and then the loop's condition ends the loop.
    await wait(ROUND_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Retires, rests and puts back a supplier's SIM cards. An open order keeps its number until its end. */
export async function rotateSims(ctx: Context, { supplierId, rules, soldSince = null }: Sims): Promise<TurnedSim[]> {
  const byService = Object.entries(rules.maxSalesByService)
  const turned = await turnSimStates(ctx.db, {
    supplierId,
    maxSales: rules.maxSales ?? null,
    services: byService.map(([code]) => code),
    maxOfServices: byService.map(([, most]) => most),
    maxAgeDays: rules.maxAgeDays ?? null,
    restAfterSales: rules.restAfterSales ?? null,
    restHours: rules.restHours,
    soldSince,
    now: ctx.clock.now(),
    limit: BATCH,
  })
  for (const { phone, state, reason } of turned) {
    ctx.log.info({ supplierId, phone: `…${phone.slice(-LAST_DIGITS)}`, state, reason }, 'a SIM card changed its state')
  }
  return turned
}
