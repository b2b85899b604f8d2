/** The part of the package `smpp` that we use. It ships no types; these follow its 0.5.1 sources. */
declare module 'smpp' {
  /** Turns raw octets of a field into a richer value. We remove all of them: see pdu.ts. */
  type Field = { filter?: unknown }

  /** A decoded PDU carries its header and every field and TLV by name, as properties. */
  class PDU {
    constructor(octets: Buffer)
    constructor(command: string, fields?: Readonly<Record<string, unknown>>)
    command: string
    command_id: number
    command_status: number
    sequence_number: number
    toBuffer(): Buffer
    /** Longer PDUs are refused by the library itself. */
    static maxLength: number
  }

  const smpp: {
    PDU: typeof PDU
    commands: Record<string, { id: number; params?: Record<string, Field> }>
    tlvs: Record<string, Field>
  }
  export = smpp
}
