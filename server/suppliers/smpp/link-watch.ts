import type { LinkState, SupplierContext } from '#server/suppliers/supplier.ts'

export type LinkWatch = {
  bound(): () => void
  state(): LinkState
  silence(): void
}

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
    state: () =>
      sessions > 0 ? { up: true, since } : { up: false, since, why: 'no session that brings messages is bound' },
    silence() {
      silent = true
    },
  }
}
