import type { Context } from '#server/house/context.ts'
import { hastenLetters } from '#server/house/jobs/hasten.ts'
import { countUnsent } from './queries.ts'
import { type Alarm, nameOf, setAlarm } from './set-alarm.ts'
import type { Found } from './watch-suppliers.ts'

const KIND: Alarm['kind'] = 'mail-down'

/** Its own letter waits with the others; the other outlets tell at once. */
export async function findMailDown({ db }: Context, standing: ReadonlySet<string>): Promise<Found> {
  const count = await countUnsent(db)
  const alarm: Alarm = { kind: KIND, about: count === 0 ? '' : String(count) }
  return { alarm, stands: count > 0 || standing.has(nameOf(alarm)) }
}

/** A letter that went ends it, not that none waits any more: those that are too late or tried too often are dropped. */
export async function endMailDown(ctx: Context): Promise<void> {
  if (await setAlarm(ctx, { kind: KIND, about: '' }, false)) await hastenLetters(ctx.db)
}
