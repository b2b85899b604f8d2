/** The package ships no types; these follow its 0.5.1 sources. */
declare module 'smpp' {
  type Field = { filter?: unknown }

  class PDU {
    constructor(command: string, fields?: Readonly<Record<string, unknown>>)
    toBuffer(): Buffer
  }

  const smpp: {
    PDU: typeof PDU
    commands: Record<string, { id: number; params?: Record<string, Field> }>
    tlvs: Record<string, Field & { id: number }>
    errors: Record<string, number>
  }
  export = smpp
}
