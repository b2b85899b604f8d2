import type { LinkState, SupplierContext } from '#server/suppliers/supplier.ts'

/** Through how many bound sessions messages can come now. */
export type LinkWatch = {
  /** A session that brings messages is bound. Returns what to call at its end; a second call does nothing. */
  bound(): () => void
  state(): LinkState
  /** The supplier is stopped by ourselves: what its sessions do from now on is no news. */
  silence(): void
}

/** The link is up while at least one session is bound: without one, no code can reach a buyer. */
export function watchLink(ctx: SupplierContext, supplierId: number): LinkWatch {
  let sessions = 0
  let since = ctx.clock.now()
  let silent = false
  const change = (by: 1 | -1) => {
    const wasUp = sessions > 0
    sessions += by
    if (silent || wasUp === sessions > 0) return
    since = ctx.clock.now()
    ctx.linkChanged({ supplierId })
  }
  return {
    bound() {
      let isOpen = true
      change(1)
      return () => {
        if (isOpen) change(-1)
        isOpen = false
      }
    },
    state: () => ({ up: sessions > 0, since }),
    silence() {
      silent = true
    },
  }
}
