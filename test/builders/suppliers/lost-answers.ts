import { expect } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { healthBookOf } from '#server/core/catalog/health/health-book.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { tryAgain } from '#server/core/catalog/standing/try-again.ts'
import { giveUpRenting, sweepRenting } from '#server/core/numbers/purchase/rental-orphans.ts'
import { AppError } from '#server/house/errors/errors.ts'
import type { TestApp } from '#test/harness/harness.ts'

/** Returns the result of a call to a supplier, or null if it was refused or its outcome is unknown. */
export async function orRefused<Given>(verb: Promise<Given>): Promise<Given | null> {
  return verb.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** Returns whether the supplier's numbers are offered. If they are not, lets the service try paused suppliers again. */
export async function isOffered(t: TestApp): Promise<boolean> {
  if (rentCatalogOf(t.ctx).pair('full', 2) !== undefined) return true
  if (healthBookOf(t.ctx).aside().length > 0) t.clock.advance(MINUTE)
  await tryAgain(t.ctx)
  return false
}

/**
 * Runs jobs until the service `at` has no unsettled rentals, without retry delays. `then` are the services from which
 * it rents, whose jobs run too.
 */
export async function settleRentals(at: TestApp, ...then: TestApp[]): Promise<void> {
  const isOpen = async () => {
    const { rows } = await at.ctx.db.query<{ open: boolean }>({
      text: `SELECT EXISTS (SELECT FROM rentals WHERE state = 'reserving' OR extension_id IS NOT NULL)
        OR EXISTS (SELECT FROM graphile_worker._private_jobs) AS open`,
    })
    return rows[0]?.open === true
  }
  for (let round = 0; round < 100 && (await isOpen()); round += 1) {
    at.clock.advance(15 * SECOND)
    await sweepRenting(at.ctx)
    await giveUpRenting(at.ctx)
    for (const t of [at, ...then]) {
      await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
      await t.runJobs()
    }
  }
  expect(await isOpen()).toBe(false)
}
