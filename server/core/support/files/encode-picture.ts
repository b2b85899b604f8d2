import type { Sharp } from 'sharp'
import { FILE_MAX_BYTES, type FileType } from '#contract/support/support-constants.ts'
import {
  brokenPicture,
  fileTooLarge,
  hugePicture,
  longPicture,
  tediousPicture,
} from '#server/core/support/support-errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { loadSharp } from '#server/house/load-sharp.ts'

/**
 * The limit admits the largest screenshots. A decompression bomb of 30 000 × 30 000 exceeds it and is never decoded.
 */
const MAX_PIXELS = 40_000_000
/** The maximum side of a picture to decode, because each row costs the decoder time. */
const MAX_SIDE_READ = 20_000
/** The maximum side of a stored picture, which suffices to read any text; larger ones are scaled down. */
const MAX_SIDE = 3_000
const TIMEOUT_SECONDS = 2
const TIMED_OUT = /^timeout: /
const JPEG_QUALITY = 85
const WEBP_QUALITY = 85

export type Picture = { content: Buffer; type: FileType; width: number; height: number }

/** Decodes and re-encodes a picture, which removes location, camera and hidden data. Throws BAD_FILE. */
export async function encodePicture(input: { name: string; type: FileType; content: Buffer }): Promise<Picture> {
  const { name, content } = input
  const sharp = await loadSharp()
  const { width, height } = await sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw brokenPicture(name)
    })
  if (width * height > MAX_PIXELS) throw hugePicture(name)
  if (Math.max(width, height) > MAX_SIDE_READ) throw longPicture(name)
  for (const type of input.type === 'image/webp' ? [input.type] : [input.type, 'image/webp' as const]) {
    const picture = await encode(content, type).catch((error: unknown) => {
      throw refusalOf(name, error)
    })
    // A photograph re-encoded as PNG may grow too large, so WebP is tried next.
    if (picture.content.length <= FILE_MAX_BYTES) return picture
  }
  throw fileTooLarge(name)
}

/** Returns the refusal for an error of the decoder, whose message alone tells whether its time-out was reached. */
export function refusalOf(name: string, error: unknown): AppError {
  return error instanceof Error && TIMED_OUT.test(error.message) ? tediousPicture(name) : brokenPicture(name)
}

async function encode(content: Buffer, type: FileType): Promise<Picture> {
  const sharp = await loadSharp()
  const image = sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
  const { data, info } = await inFormat(image, type).toBuffer({ resolveWithObject: true })
  return { content: data, type, width: info.width, height: info.height }
}

function inFormat(image: Sharp, type: FileType): Sharp {
  if (type === 'image/jpeg') return image.jpeg({ quality: JPEG_QUALITY })
  return type === 'image/png' ? image.png() : image.webp({ quality: WEBP_QUALITY })
}
