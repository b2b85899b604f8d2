import { HEADER_BYTES } from './pdu.ts'

export class BrokenStream extends Error {}

/** Splits a connection's bytes into PDUs. The library's reader hangs after a bad PDU or an impossible length. */
export class FrameReader {
  readonly #maxPduBytes: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(maxPduBytes: number) {
    this.#maxPduBytes = maxPduBytes
  }

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
