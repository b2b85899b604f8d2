import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { findIdentity } from '#server/house/db/fitness.ts'
import { StartRefused } from '#server/house/start-refused.ts'

/** Throws StartRefused if a configured stand-by is of another database. A stand-by that is away is no reason. */
export async function refuseForeignReplica({ db, replica }: Context): Promise<void> {
  if (replica === null) return
  const own = await findIdentity(db)
  for (const standBy of replica.standBys) {
    const found = await findIdentity(standBy.db).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error
      return own
    })
    if (found === own) continue
    throw new StartRefused(`DATABASE_REPLICA_URL: ${standBy.place} is no stand-by of the database of DATABASE_URL`)
  }
}
