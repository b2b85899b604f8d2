import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import { startLoop, type WakingLoop } from './loop.ts'

/** A periodic task. A single SQL statement checks for all tasks together whether work is due. */
export type PeriodicTask = {
  name: string
  everyMs: number
  work: () => Promise<unknown>
  /** An SQL condition that is true if work is due. It may use `$now` and the names in `values`. */
  due: string
  values?: () => NamedValues
  isDue?: () => boolean
}

type Looking = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Starts the periodic tasks and checks each second for due work. Runs of one task never overlap, and no task waits for
 * another. `stop` waits for running tasks.
 */
export function startPeriodicTasks(ctx: Looking, looks: readonly PeriodicTask[]): WakingLoop {
  const { look, idle } = preparePeriodicTasks(ctx, looks)
  const loop = startLoop(ctx.log, { name: 'looks', everyMs: SECOND, work: look })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      await idle()
    },
  }
}

/** Returns `look`, which starts the tasks that are due, and `idle`, which waits for the running tasks. */
export function preparePeriodicTasks(ctx: Looking, looks: readonly PeriodicTask[]) {
  const text = `SELECT ${looks.map(({ due }, place) => `(${due}) AS look_${place}`).join(', ')}`
  const running = new Map<PeriodicTask, Promise<void>>()
  let rounds = 0
  const begin = async (look: PeriodicTask) => {
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
