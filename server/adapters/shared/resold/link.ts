import { followLinkSoon } from '#server/core/catalog/offers/follow-link.ts'
import type { LinkState } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { MOST_REASONS } from '#server/house/http/outbound/why-failed.ts'

/** The causes of a broken link: with `reach` the supplier does not answer, and with `key` it refuses our key. */
export type Cause = 'reach' | 'key'

export type Link = {
  state(): LinkState
  /**
   * Records whether a call worked. A success clears its cause's failures, and only several failures of `reach` in a row
   * break the link. `why` tells staff the reason.
   */
  note(cause: Cause, worked: boolean, why?: string): void
  /** Reports changes of the link again, including a change since the call of `silence`. */
  listen(): void
  silence(): void
}

const FAILURES: Readonly<Record<Cause, number>> = { reach: 3, key: 1 }
const WHY: Readonly<Record<Cause, string>> = {
  reach: `${FAILURES.reach} calls in a row had no answer`,
  key: 'it refuses our key',
}

/**
 * Tracks whether a supplier works, by the results of calls, because its API has no lasting connection. After a start,
 * the state is unproven until the link breaks or a call rules out the cause `proof`.
 */
export function createLink(ctx: Context, supplierId: number, proof: Cause): Link {
  const failures: Record<Cause, number> = { reach: 0, key: 0 }
  const last: Record<Cause, string | undefined> = { reach: undefined, key: undefined }
  let state: LinkState = { up: true, since: ctx.clock.now(), unproven: true }
  let isSilent = false
  /** The failures reported since the link was last up, each once however often they alternate. */
  const told = new Set<string>()
  const tell = () => {
    const news = state.up ? 'up' : (state.why ?? '')
    if (isSilent || state.unproven === true || told.has(news)) return
    if (state.up || told.has('up')) told.clear()
    if (told.size === MOST_REASONS) return
    told.add(news)
    followLinkSoon(ctx, supplierId)
  }
  const broken = () => (['key', 'reach'] as const).find((cause) => failures[cause] >= FAILURES[cause])
  return {
    state: () => state,
    note(cause, worked, why) {
      failures[cause] = worked ? 0 : failures[cause] + 1
      if (!worked) last[cause] = why
      const fault = broken()
      const up = fault === undefined
      const isProven = !up || state.unproven !== true || (worked && cause === proof)
      const since = up === state.up && state.unproven !== true ? state.since : ctx.clock.now()
      if (isProven) state = { up, since, ...(fault !== undefined && { why: whyOf(fault, last[fault]) }) }
      tell()
    },
    listen() {
      isSilent = false
      tell()
    },
    silence() {
      isSilent = true
    },
  }
}

function whyOf(cause: Cause, last: string | undefined): string {
  return last === undefined ? WHY[cause] : `${WHY[cause]}, the last one: ${last}`
}
