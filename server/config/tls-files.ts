import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Log } from '#server/log.ts'

/** PEM texts; `ca`: the authority whose certificates clients must show. */
export type TlsTexts = { cert: string; key: string; ca?: string | undefined }
/** Where they stand. */
export type TlsPaths = TlsTexts

/** Reads all of them now. Rejects when one cannot be read, is no PEM, or when key and certificate do not belong together. */
export async function readTlsFiles({ cert, key, ca }: TlsPaths): Promise<TlsTexts> {
  // One after another, so that of several faults the same one is told each time.
  const texts = {
    cert: await readPem(cert),
    key: await readPem(key),
    ca: ca === undefined ? undefined : await readPem(ca),
  }
  createSecureContext(texts)
  return texts
}

/** A file that is being written is empty for a moment, and without a text there would be TLS without a certificate. */
async function readPem(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  if (!text.includes('-----BEGIN ')) throw new Error(`${path} is not a PEM file`)
  return text
}

/**
 * Returns a function to call each minute: when the files hold something new that fits together, `apply` is given it. Texts
 * are compared, not times: files are renewed by renaming, by links and by copies that keep their time. What cannot be
 * used, such as a new certificate whose key is not there yet, is logged once, and the earlier one stays.
 */
export function followTlsFiles(input: {
  paths: TlsPaths
  /** What is in use. */
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

/** So that no private key is kept only to be compared. */
function digest({ cert, key, ca }: TlsTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([cert, key, ca ?? null]))
    .digest('base64')
}
