import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { MEBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import { createFairQueue } from '#server/house/limits/fair-queue.ts'
import { loadSharp } from '#server/house/load-sharp.ts'
import { perContext } from '#server/house/memory.ts'
import { type Card, readIcon } from './card.ts'
import { drawCard, hasLetters } from './draw-card.ts'

const MAX_BYTES = 12 * MEBIBYTE

/** A picture that could not be drawn is not tried again for this time. */
const FAILED_MS = 10 * MINUTE
const MAX_FAILED = 1_000

/**
 * Pictures by their card. `making` has those that are drawn now, so that a flood for one draws it once. `failed` has the
 * times of failures.
 */
type Pictures = {
  made: LRUCache<string, Buffer>
  making: Map<string, Promise<Buffer | null>>
  failed: BoundedCache<string, number>
}

const picturesOf = perContext(
  'pictures to share',
  { scope: 'process', nodes: 'own', lost: 'nothing: they are drawn again' },
  (): Pictures => ({
    made: new LRUCache<string, Buffer>({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ length }, key) => length + key.length,
    }),
    making: new Map(),
    failed: boundedCache(MAX_FAILED),
  }),
)

const queue = createFairQueue({
  name: 'pictures to draw',
  /** Drawing takes a thread of the pool for a tenth of a second. */
  parallel: 1,
  maxWaiting: { unknown: 30, known: 0 },
  maxOfOne: { atEase: 8, crowded: 2 },
  forgetMs: SECOND,
  maxWaitMs: 10 * SECOND,
  retrySeconds: 5,
})

/**
 * Returns the PNG of a card, or null if its letters are not in our faces or drawing failed. Throws TOO_MANY_REQUESTS
 * (503) if too many pictures wait.
 */
export async function makePicture(ctx: Context, network: string, card: Card): Promise<Buffer | null> {
  const { made, making, failed } = picturesOf(ctx)
  if (!hasLetters(card.title) || !hasLetters(card.about)) return null
  const key = JSON.stringify(card)
  const failedAtMs = failed.get(key)
  if (failedAtMs !== undefined && Math.abs(ctx.clock.now().getTime() - failedAtMs) < FAILED_MS) return null
  const found = made.get(key) ?? making.get(key)
  if (found !== undefined) return found
  const drawing = queue.run(ctx, { key: network }, () => tryToDraw(ctx, card))
  making.set(key, drawing)
  try {
    const picture = await drawing
    if (picture === null) failed.set(key, ctx.clock.now().getTime())
    else made.set(key, picture)
    return picture
  } finally {
    making.delete(key)
  }
}

async function tryToDraw(ctx: Context, card: Card): Promise<Buffer | null> {
  try {
    return await draw(card)
  } catch (error) {
    ctx.log.error({ error }, 'a picture to share could not be drawn')
    return null
  }
}

const FONTS = [500, 700].map((weight) => join(import.meta.dirname, `fonts/inter-${weight}.otf`))

async function draw(card: Card): Promise<Buffer> {
  // The libraries load with the first picture, because most processes draw none.
  const [{ renderAsync }, sharp, icon] = await Promise.all([
    import('@resvg/resvg-js'),
    loadSharp(),
    readIcon(card.icon),
  ])
  const font = { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'Inter' }
  const { pixels, width, height } = await renderAsync(drawCard(card, icon), { font })
  // `asPng` of the drawing library would hold up the event loop; sharp encodes on a thread of the pool.
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}
