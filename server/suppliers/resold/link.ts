import type { LinkState, SupplierContext } from '#server/suppliers/supplier.ts'

/** `reach`: the other answers. `key`: it takes our key. */
export type Cause = 'reach' | 'key'

export type Link = {
  state(): LinkState
  /** One success heals a cause; `reach` breaks after several failures in a row. */
  note(cause: Cause, worked: boolean): void
  /** What changed in silence is told now. */
  listen(): void
  silence(): void
}

const FAILURES: Readonly<Record<Cause, number>> = { reach: 3, key: 1 }
const WHY: Readonly<Record<Cause, string>> = {
  reach: `${FAILURES.reach} calls in a row had no answer`,
  key: 'it refuses our key',
}

/** The protocol has no connection: the link is up while calls work. */
export function createLink(ctx: SupplierContext, supplierId: number): Link {
  const failures: Record<Cause, number> = { reach: 0, key: 0 }
  let state: LinkState = { up: true, since: ctx.clock.now() }
  let isSilent = false
  /** What was told last. */
  let toldUp = true
  const tell = () => {
    if (isSilent || toldUp === state.up) return
    toldUp = state.up
    ctx.linkChanged({ supplierId })
  }
  return {
    state: () => state,
    note(cause, worked) {
      failures[cause] = worked ? 0 : failures[cause] + 1
      const up = failures.reach < FAILURES.reach && failures.key < FAILURES.key
      if (up === state.up) return
      state = { up, since: ctx.clock.now(), ...(!up && { why: WHY[cause] }) }
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
