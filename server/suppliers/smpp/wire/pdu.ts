import smpp from 'smpp'

/** SMPP 3.4, section 5.1.3. */
export const STATUS = {
  ok: 0x00,
  invalidMessageLength: 0x01,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  wrongBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  queueFull: 0x14,
  /** The carrier keeps the message and retries ("receiver temporary error"). */
  receiverBusy: 0x64,
} as const

export const HEADER_BYTES = 16

/** An SMPP field holds at most 65 535 octets; a session's limit (`maxPduBytes`) is lower. */
export const LARGEST_PDU_BYTES = 66_000
smpp.PDU.maxLength = LARGEST_PDU_BYTES

const RESPONSE_BIT = 0x80000000

export type PduFields = Readonly<Record<string, unknown>>

export type Pdu = {
  command: string
  isResponse: boolean
  status: number
  sequence: number
  /** SMPP's field names. Text is a string, message bodies are raw octets. */
  fields: PduFields
  octets: Buffer
}

// The library's filters decode each part alone, which breaks surrogate pairs cut by a border.
// They also throw on malformed times and TLVs that we do not need.
for (const command of Object.values(smpp.commands)) {
  for (const field of Object.values(command.params ?? {})) delete field.filter
}
for (const tlv of Object.values(smpp.tlvs)) delete tlv.filter

export function decodePdu(octets: Buffer): Pdu {
  const decoded = new smpp.PDU(octets)
  return {
    command: decoded.command,
    isResponse: decoded.command_id >= RESPONSE_BIT,
    status: decoded.command_status,
    sequence: decoded.sequence_number,
    fields: { ...decoded },
    octets,
  }
}

export function encodePdu(command: string, header: { sequence: number; status?: number }, fields?: PduFields): Buffer {
  return new smpp.PDU(command, {
    ...fields,
    sequence_number: header.sequence,
    command_status: header.status ?? STATUS.ok,
  }).toBuffer()
}

export function responseCommand(command: string): string | null {
  const response = `${command}_resp`
  return response in smpp.commands ? response : null
}

export function textField(pdu: Pdu, name: string): string {
  const value = pdu.fields[name]
  return typeof value === 'string' ? value : ''
}

/** null when the field is absent, which for a TLV differs from 0. */
export function numberField(pdu: Pdu, name: string): number | null {
  const value = pdu.fields[name]
  return typeof value === 'number' ? value : null
}

export function octetsField(pdu: Pdu, name: string): Buffer {
  const value = pdu.fields[name]
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}
