import type { LinkState, SupplierContext } from '#server/suppliers/supplier.ts'

/** The protocol has no connection: the link is up while calls are answered. */
export type BankLink = {
  state(): LinkState
  note(answered: boolean): void
}

/** In a row. */
const FAILURES = 3
const WHY = `${FAILURES} calls in a row had no answer of the protocol`

export function createBankLink(ctx: SupplierContext, supplierId: number): BankLink {
  let failures = 0
  let state: LinkState = { up: true, since: ctx.clock.now() }
  return {
    state: () => state,
    note(answered) {
      failures = answered ? 0 : failures + 1
      const up = failures < FAILURES
      if (up === state.up) return
      state = { up, since: ctx.clock.now(), ...(!up && { why: WHY }) }
      ctx.linkChanged({ supplierId })
    },
  }
}
