import type { Account } from '../account.ts'
import type { ResoldRent } from './queries.ts'
import type { RentWay } from './way.ts'

/** A rented number whose messages are looked for. */
export type OpenRent = {
  reference: string
  rentId: string
  phone: string
  expiresAt: Date
  /** Milliseconds of performance.now. */
  wantedSinceMs: number
  /** Milliseconds of performance.now. */
  lookedMs: number
  /** As many messages as the other had when they were last read. */
  seen: number
  /** Looks in a row that did not show it. */
  missed: number
}

/** What an account has rented. */
export type Rents = {
  readonly account: Account
  readonly way: RentWay
  /** By our reference. */
  readonly open: Map<string, OpenRent>
  /** References that are being asked for now. */
  readonly asking: Set<string>
  wakePoll: () => void
}

type Kept = Pick<ResoldRent, 'reference' | 'rentId' | 'phone' | 'expiresAt'>

export function keepRented(rents: Rents, { reference, rentId, phone, expiresAt }: Kept): void {
  if (rentId === null || phone === null || rents.open.has(reference)) return
  const fresh = { wantedSinceMs: performance.now(), lookedMs: 0, seen: 0, missed: 0 }
  rents.open.set(reference, { reference, rentId, phone, expiresAt, ...fresh })
  rents.wakePoll()
}
