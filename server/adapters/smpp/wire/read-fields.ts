export type ReadFields = Readonly<Record<string, number | Buffer>>

type Kind = 'number' | 'text' | 'counted'
type Field = readonly [name: string, kind: Kind]

const BIND: readonly Field[] = [
  ['system_id', 'text'],
  ['password', 'text'],
]
const ADDRESSES: readonly Field[] = [
  ['service_type', 'text'],
  ['source_addr_ton', 'number'],
  ['source_addr_npi', 'number'],
  ['source_addr', 'text'],
  ['dest_addr_ton', 'number'],
  ['dest_addr_npi', 'number'],
  ['destination_addr', 'text'],
  ['esm_class', 'number'],
]
const SHORT_MESSAGE: readonly Field[] = [
  ...ADDRESSES,
  ['protocol_id', 'number'],
  ['priority_flag', 'number'],
  ['schedule_delivery_time', 'text'],
  ['validity_period', 'text'],
  ['registered_delivery', 'number'],
  ['replace_if_present_flag', 'number'],
  ['data_coding', 'number'],
  ['sm_default_msg_id', 'number'],
  ['short_message', 'counted'],
]
/** The mandatory fields of SMPP 3.4, section 4. Commands missing here need only their header. */
const MANDATORY: Readonly<Record<string, readonly Field[]>> = {
  bind_receiver: BIND,
  bind_transmitter: BIND,
  bind_transceiver: BIND,
  submit_sm: SHORT_MESSAGE,
  deliver_sm: SHORT_MESSAGE,
  data_sm: [...ADDRESSES, ['registered_delivery', 'number'], ['data_coding', 'number']],
}

/** The optional fields that we read (SMPP 3.4, section 5.3.2). All others are ignored. */
const OPTIONAL: Readonly<Record<number, Field>> = {
  30: ['receipted_message_id', 'text'],
  523: ['dest_port', 'number'],
  524: ['sar_msg_ref_num', 'number'],
  526: ['sar_total_segments', 'number'],
  527: ['sar_segment_seqnum', 'number'],
  1060: ['message_payload', 'counted'],
  1063: ['message_state', 'number'],
}
const TAG_BYTES = 4
const LONGEST_NUMBER = 4

/** Reads a PDU's fields and never throws, as faults do not affect the frame. `isCut` means that the PDU ends early. */
export function readFields(command: string, body: Buffer): { fields: ReadFields; isCut: boolean } {
  const fields: Record<string, number | Buffer> = {}
  let at = 0
  for (const [name, kind] of MANDATORY[command] ?? []) {
    const end = endOf(kind, body, at)
    if (end === null) return { fields, isCut: true }
    fields[name] = kind === 'number' ? body.readUInt8(at) : body.subarray(kind === 'text' ? at : at + 1, end)
    at = kind === 'text' ? end + 1 : end
  }
  if (command in MANDATORY) readOptional(fields, body.subarray(at))
  return { fields, isCut: false }
}

/** Returns the end of a field, or null if the field does not fit. A message body longer than its PDU is cut. */
function endOf(kind: Kind, body: Buffer, at: number): number | null {
  if (at >= body.length) return null
  if (kind === 'number') return at + 1
  if (kind === 'counted') return Math.min(at + 1 + body.readUInt8(at), body.length)
  const end = body.indexOf(0, at)
  return end === -1 ? null : end
}

/**
 * Reads optional fields, numbers of any width too. A field longer than its PDU is skipped, but a message body is cut.
 */
function readOptional(fields: Record<string, number | Buffer>, octets: Buffer): void {
  for (let at = 0; at + TAG_BYTES <= octets.length; ) {
    const length = octets.readUInt16BE(at + 2)
    const value = octets.subarray(at + TAG_BYTES, at + TAG_BYTES + length)
    const field = OPTIONAL[octets.readUInt16BE(at)]
    at += TAG_BYTES + length
    if (field === undefined) continue
    const [name, kind] = field
    if (kind === 'counted') fields[name] = value
    else if (value.length < length) continue
    else if (kind === 'text') fields[name] = value
    else if (length > 0 && length <= LONGEST_NUMBER) fields[name] = value.readUIntBE(0, length)
  }
}
