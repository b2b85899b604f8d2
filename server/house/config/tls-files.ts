import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Log } from '#server/house/log.ts'

/** `ca`: the authority whose certificates clients must show. */
export type TlsTexts = { cert: string; key: string; ca?: string | undefined }
export type TlsPaths = TlsTexts

/** Rejects on an unreadable file, on no PEM, and when key and certificate do not match. */
export async function readTlsFiles({ cert, key, ca }: TlsPaths): Promise<TlsTexts> {
  // Sequential, so that of several faults the same one is reported each time.
  const texts = {
    cert: await readPem(cert),
    key: await readPem(key),
    ca: ca === undefined ? undefined : await readPem(ca),
  }
  createSecureContext(texts)
  return texts
}

/** A file that is being written is empty for a moment, and TLS would start without a certificate. */
async function readPem(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  if (!text.includes('-----BEGIN ')) throw new Error(`${path} is not a PEM file`)
  return text
}

/**
 * The returned function is polled each minute. Texts are compared, because renewals may keep a file's time.
 * An unusable pair, as a certificate before its key, is logged once, and the earlier one stays.
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

/** The digest avoids keeping a private key only to compare it. */
function digest({ cert, key, ca }: TlsTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([cert, key, ca ?? null]))
    .digest('base64')
}
