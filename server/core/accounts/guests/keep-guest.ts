import { noteConsents } from '#server/core/accounts/users/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { cancelGuestEnd } from './queries.ts'

/** Makes a guest's account last, because the guest has a way in now. Changes nothing for a user who is no guest. */
export async function keepGuest(tx: Db, input: { userId: number; now: Date }): Promise<void> {
  if (await cancelGuestEnd(tx, input)) await noteConsents(tx, input)
}
