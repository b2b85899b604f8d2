import { followLinkSoon } from '#server/core/catalog/offers/follow-link.ts'
import type { LinkState } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { MOST_REASONS } from '#server/house/http/outbound/why-failed.ts'

export type LinkWatch = {
  /** Records a bound receiving session. Returns a function to be called with the reason when the session ends. */
  bound(): (why: string) => void
  /** Records that a peer was unreachable or refused, which counts while no session is bound. */
  failed(why: string): void
  state(): LinkState
  silence(): void
}

const NEVER_BOUND = 'no session that brings messages is bound'

export function watchLink(ctx: Context, supplierId: number): LinkWatch {
  let sessions = 0
  let since = ctx.clock.now()
  let why = NEVER_BOUND
  let silent = false
  const tell = () => {
    if (!silent) followLinkSoon(ctx, supplierId)
  }
  /** The failure reasons of the current outage, so that each is reported once however often they alternate. */
  const told = new Set<string>()
  return {
    bound() {
      let isOpen = true
      sessions += 1
      if (sessions === 1 && !silent) since = ctx.clock.now()
      if (sessions === 1) tell()
      return (reason) => {
        if (!isOpen) return
        isOpen = false
        sessions -= 1
        if (sessions > 0) return
        why = reason
        told.clear()
        if (!silent) since = ctx.clock.now()
        tell()
      }
    },
    failed(reason) {
      if (sessions > 0 || told.has(reason) || told.size === MOST_REASONS) return
      told.add(reason)
      why = reason
      tell()
    },
    state: () => (sessions > 0 ? { up: true, since } : { up: false, since, why }),
    silence() {
      silent = true
    },
  }
}
