import smpp from 'smpp'

/** The statuses we send or recognise (SMPP 3.4, section 5.1.3). */
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
  /** "Receiver temporary error": the carrier keeps the message and offers it again. */
  receiverBusy: 0x64,
} as const

/** The header of every PDU; none is shorter. */
export const HEADER_BYTES = 16

/** An SMPP field holds at most 65 535 octets; the limit of a session (`maxPduBytes`) lies below. */
export const LARGEST_PDU_BYTES = 66_000
smpp.PDU.maxLength = LARGEST_PDU_BYTES

/** A response has the top bit of its command id set. */
const RESPONSE_BIT = 0x80000000

export type PduFields = Readonly<Record<string, unknown>>

export type Pdu = {
  /** `unknown` when the command id is none of SMPP's. */
  command: string
  isResponse: boolean
  status: number
  sequence: number
  /** By SMPP's own names. Text is a string, message bodies are raw octets. */
  fields: PduFields
  /** The whole PDU as it arrived. */
  octets: Buffer
}

// The library's filters decode each part of a message alone (which breaks surrogate pairs cut by a part's border) and
// throw on malformed times and TLVs that do not concern us. Without them every body arrives as raw octets.
for (const command of Object.values(smpp.commands)) {
  for (const field of Object.values(command.params ?? {})) delete field.filter
}
for (const tlv of Object.values(smpp.tlvs)) delete tlv.filter

/** Decodes one whole PDU. Throws when its fields do not fit its length. */
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

/** The command that answers `command`; null when SMPP has none (alert_notification, outbind). */
export function responseCommand(command: string): string | null {
  const response = `${command}_resp`
  return response in smpp.commands ? response : null
}

export function textField(pdu: Pdu, name: string): string {
  const value = pdu.fields[name]
  return typeof value === 'string' ? value : ''
}

/** null when the field is absent, which for a TLV is different from 0. */
export function numberField(pdu: Pdu, name: string): number | null {
  const value = pdu.fields[name]
  return typeof value === 'number' ? value : null
}

export function octetsField(pdu: Pdu, name: string): Buffer {
  const value = pdu.fields[name]
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}
