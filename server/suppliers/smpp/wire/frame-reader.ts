import { HEADER_BYTES } from './pdu.ts'

/** The stream cannot be followed any more: the peer is garbage, hostile, or speaks another protocol. */
export class BrokenStream extends Error {}

/**
 * Cuts the octets of a connection into whole PDUs. We do not use the library's reader: after one bad PDU it stays busy
 * for ever, and a length below the header's makes it wait for ever or lose its place.
 */
export class FrameReader {
  readonly #maxPduBytes: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(maxPduBytes: number) {
    this.#maxPduBytes = maxPduBytes
  }

  /** The PDUs completed by `chunk`. Throws BrokenStream at an impossible length, before its body is awaited. */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= 4) {
      const length = this.#rest.readUInt32BE(0)
      if (length < HEADER_BYTES) throw new BrokenStream(`a PDU of ${length} octets is shorter than its header`)
      if (length > this.#maxPduBytes) throw new BrokenStream(`a PDU of ${length} octets is above the limit`)
      if (this.#rest.length < length) return
      const frame = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      yield frame
    }
  }
}
