import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import { type Loop, startLoop } from './loop.ts'

/** Periodic work that one statement for all finds something to do for. */
export type Look = {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** SQL: whether something is due. It may name `$now`, and the values. */
  due: string
  values?: () => NamedValues
  /** What no statement tells. */
  isDue?: () => boolean
}

type Looking = Pick<Context, 'db' | 'clock' | 'log'>

/** Asks each second. Runs of one look never overlap, and none waits for another. `stop` waits for those under way. */
export function startLooks(ctx: Looking, looks: readonly Look[]): Loop {
  const { look, idle } = prepareLooks(ctx, looks)
  const loop = startLoop(ctx.log, { name: 'looks', everyMs: SECOND, work: look })
  return {
    async stop() {
      await loop.stop()
      await idle()
    },
  }
}

/** `look`: one round. `idle`: nothing that it began is under way. */
export function prepareLooks(ctx: Looking, looks: readonly Look[]) {
  const text = `SELECT ${looks.map(({ due }, place) => `(${due}) AS look_${place}`).join(', ')}`
  const running = new Map<Look, Promise<void>>()
  let rounds = 0
  const begin = async (look: Look) => {
    try {
      await look.work()
    } catch (error) {
      ctx.log.error({ error, loop: look.name }, 'a periodic task failed')
    } finally {
      running.delete(look)
    }
  }
  return {
    async look(): Promise<void> {
      const now = ctx.clock.now()
      const values: NamedValues = Object.assign({ now }, ...looks.map((look) => look.values?.()))
      const { rows } = await ctx.db.query<Record<string, boolean>>({ name: 'looks', text, values })
      looks.forEach((look, place) => {
        const isItsRound = rounds % Math.round(look.everyMs / SECOND) === 0
        const isDue = rows[0]?.[`look_${place}`] === true || look.isDue?.() === true
        if (isItsRound && isDue && !running.has(look)) running.set(look, begin(look))
      })
      rounds += 1
    },
    async idle(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
