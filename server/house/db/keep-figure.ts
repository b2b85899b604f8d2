import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'

type Kept<Figure> = { readAtMs: number; figure: Figure; reading: Promise<void> | null }

/**
 * Declares a figure that pages show, and that is read from the tables once in `freshMs`. A page must not fail for it, so
 * the last figure stays while the database is away, and after a failed read, which is repeated only after `freshMs`.
 */
export function keepFigure<Figure>(options: {
  name: string
  freshMs: number
  atFirst: Figure
  read: (ctx: Context, now: Date) => Promise<Figure>
}): (ctx: Context) => Promise<Figure> {
  const { name, freshMs, atFirst, read } = options
  const keptOf = perContext(
    name,
    { scope: 'process', nodes: 'told', lost: 'nothing: it is read from the tables' },
    (): Kept<Figure> => ({ readAtMs: Number.NEGATIVE_INFINITY, figure: atFirst, reading: null }),
  )
  const renew = async (ctx: Context, kept: Kept<Figure>): Promise<void> => {
    const now = ctx.clock.now()
    try {
      kept.figure = await read(ctx, now)
    } catch (error) {
      ctx.log.warn({ error, figure: name }, 'a figure of pages could not be read')
    }
    Object.assign(kept, { readAtMs: now.getTime(), reading: null })
  }
  return async (ctx) => {
    const kept = keptOf(ctx)
    const isOld = Math.abs(ctx.clock.now().getTime() - kept.readAtMs) >= freshMs
    if (isOld && !ctx.db.outages.away) {
      kept.reading ??= renew(ctx, kept)
      await kept.reading
    }
    return kept.figure
  }
}
