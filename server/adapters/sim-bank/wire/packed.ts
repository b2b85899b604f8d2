import { gunzipSync, gzipSync } from 'node:zlib'

/** Throws on what is no gzip, and on what would be longer than `mostBytes`. */
export function unpack(
  body: Buffer,
  { encoding, mostBytes }: { encoding: string | undefined; mostBytes: number },
): string {
  const isPacked = encoding?.trim().toLowerCase() === 'gzip'
  const plain = isPacked ? gunzipSync(body, { maxOutputLength: mostBytes }) : body
  return plain.toString('utf8')
}

/** Fast rather than strong: most bodies fit a packet. */
export function pack(text: string): Buffer {
  return gzipSync(text, { level: 1 })
}
