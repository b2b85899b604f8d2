import type { Context } from '#server/house/context.ts'
import { failUnmade } from './queries.ts'

/** Runs each minute: who waits in vain is told, and may ask again. */
export async function failExports({ db, log }: Context): Promise<void> {
  for (const { id, user_id: userId } of await failUnmade(db)) {
    log.error({ userId, exportId: id.toString() }, 'an export could not be made at any try')
  }
}
