import { revokeSessionsOf } from '#server/core/accounts/sessions/queries.ts'
import { setSignedOut } from '#server/core/accounts/users/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'

export async function endSessionsOf(tx: Db, { userId, now }: { userId: number; now: Date }): Promise<number> {
  const ended = (await revokeSessionsOf(tx, { userId, keep: null, now })).length
  await setSignedOut(tx, { userId, now })
  // A running server polls the catalogue's version, and then closes the user's live sockets.
  await raiseCatalogVersion(tx, now)
  return ended
}

export function sayEnded(ended: number): string {
  return `${ended} session${ended === 1 ? '' : 's'} ended`
}
