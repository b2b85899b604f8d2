import smpp from 'smpp'
import { type ReadFields, readFields } from './read-fields.ts'

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
  /** After this status ("receiver temporary error") the carrier keeps the message and sends it again. */
  receiverBusy: 0x64,
} as const

export const STATUS_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(smpp.errors).map(([name, status]) => [status, name]),
)

export const HEADER_BYTES = 16

/** The maximum size of a PDU. An SMPP field has up to 65 535 octets. A session's limit (`maxPduBytes`) is lower. */
export const LARGEST_PDU_BYTES = 66_000

const RESPONSE_BIT = 0x80000000

export type PduFields = Readonly<Record<string, unknown>>

export type Pdu = {
  command: string
  isResponse: boolean
  status: number
  sequence: number
  fields: ReadFields
  /** True if the PDU ends before its mandatory fields do. */
  isCut: boolean
  octets: Buffer
}

const COMMANDS = new Map(Object.entries(smpp.commands).map(([command, { id }]) => [id, command]))

/**
 * Decodes a whole frame and never throws. The library only writes PDUs, because it reads past the end of odd fields and
 * loses octets above 0x7F.
 */
export function decodePdu(octets: Buffer): Pdu {
  const id = octets.readUInt32BE(4)
  const command = COMMANDS.get(id) ?? 'unknown'
  return {
    command,
    isResponse: id >= RESPONSE_BIT,
    status: octets.readUInt32BE(8),
    sequence: octets.readUInt32BE(12),
    ...readFields(command, octets.subarray(HEADER_BYTES)),
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
  return octetsField(pdu, name).toString('latin1')
}

/** Returns a numeric field, or null if it is absent, which differs from 0 for an optional field. */
export function numberField(pdu: Pdu, name: string): number | null {
  const value = pdu.fields[name]
  return typeof value === 'number' ? value : null
}

export function octetsField(pdu: Pdu, name: string): Buffer {
  const value = pdu.fields[name]
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}
