import type { Context } from '#server/house/context.ts'
import { failUnmade } from './queries.ts'

/** Marks exports whose job has failed for good, so that the user is told and may request another. Runs every minute. */
export async function failExports({ db, log }: Context): Promise<void> {
  for (const { id, user_id: userId } of await failUnmade(db)) {
    log.error({ userId, exportId: id.toString() }, 'an export could not be made at any try')
  }
}
