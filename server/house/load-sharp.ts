import type { default as Sharp } from 'sharp'

let loaded: Promise<typeof Sharp> | undefined

/** Loads the library for the first picture, because loading takes a tenth of a second. */
export function loadSharp(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Only the decoders of JPEG, PNG and WebP stay allowed, even for files whose first bytes are ambiguous.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    })
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return loaded
}
