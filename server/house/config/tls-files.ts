import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Log } from '#server/house/log.ts'

export type TlsTexts = { cert: string; key: string; ca?: string | undefined }
export type TlsPaths = TlsTexts

/** Reads a certificate and its key. Rejects if a file is unreadable or not PEM, or if the key does not match. */
export async function readTlsFiles({ cert, key, ca }: TlsPaths): Promise<TlsTexts> {
  // Files are read one after another, so that several faults are always reported in the same order.
  const texts = {
    cert: await readPem(cert),
    key: await readPem(key),
    ca: ca === undefined ? undefined : await readPem(ca),
  }
  createSecureContext(texts)
  return texts
}

/** Reads a PEM file. A file that is being written is empty for a moment, and TLS would start without a certificate. */
async function readPem(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  if (!text.includes('-----BEGIN ')) throw new Error(`${path} is not a PEM file`)
  return text
}

/**
 * Returns a function that checks the certificate's files each minute and applies a renewed certificate. Contents are
 * compared, because a renewal may keep a file's time. If key and certificate do not match yet, the previous pair stays.
 */
export function followTlsFiles(input: {
  paths: TlsPaths
  texts: TlsTexts
  log: Log
  apply(texts: TlsTexts): void
}): () => Promise<void> {
  let used = digest(input.texts)
  let problem = ''
  return async () => {
    try {
      const texts = await readTlsFiles(input.paths)
      if (digest(texts) !== used) {
        input.apply(texts)
        used = digest(texts)
        input.log.info({ certificate: input.paths.cert }, 'a renewed certificate is in use')
      }
      problem = ''
    } catch (error) {
      const words = String(error)
      if (words !== problem)
        input.log.warn({ error, certificate: input.paths.cert }, 'a renewed certificate is not used')
      problem = words
    }
  }
}

/** Returns a digest, so that a change of the files is noticed without keeping a private key in memory. */
function digest({ cert, key, ca }: TlsTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([cert, key, ca ?? null]))
    .digest('base64')
}
