/** The package ships no types; these follow its 0.5.1 sources. */
declare module 'smpp' {
  type Field = { filter?: unknown }

  class PDU {
    constructor(octets: Buffer)
    constructor(command: string, fields?: Readonly<Record<string, unknown>>)
    command: string
    command_id: number
    command_status: number
    sequence_number: number
    toBuffer(): Buffer
    static maxLength: number
  }

  const smpp: {
    PDU: typeof PDU
    commands: Record<string, { id: number; params?: Record<string, Field> }>
    tlvs: Record<string, Field>
  }
  export = smpp
}
