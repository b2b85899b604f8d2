import { gunzipSync, gzipSync } from 'node:zlib'

/** Unpacks a body. Throws if it is no gzip, or longer than `mostBytes` when unpacked. */
export function unpack(
  body: Buffer,
  { encoding, mostBytes }: { encoding: string | undefined; mostBytes: number },
): string {
  const isPacked = encoding?.trim().toLowerCase() === 'gzip'
  const plain = isPacked ? gunzipSync(body, { maxOutputLength: mostBytes }) : body
  return plain.toString('utf8')
}

/** Packs a body, fast rather than small, because most bodies fit into one packet. */
export function pack(text: string): Buffer {
  return gzipSync(text, { level: 1 })
}
