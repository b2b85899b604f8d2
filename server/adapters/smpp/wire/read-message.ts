import { type Destination, readDestination } from '#server/adapters/shared/own-numbers/destination.ts'
import type { NotText } from '#server/core/suppliers/supplier.ts'
import { notTextByHeader } from './not-text.ts'
import { numberField, octetsField, type Pdu, STATUS, textField } from './pdu.ts'
import { senderText } from './sender-text.ts'
import { type PartOf, readConcatenation, splitUserData } from './user-data-header.ts'

export type ReceivedPart = Destination & {
  sender: string
  dataCoding: number
  body: Buffer
  partOf: PartOf | null
  notText?: NotText
}

export type ReadResult =
  | { outcome: 'message'; part: ReceivedPart }
  | { outcome: 'receipt' }
  | { outcome: 'refused'; status: number }

const HAS_USER_DATA_HEADER = 0x40
const MESSAGE_TYPE_MASK = 0x3c
/**
 * The message types of SMPP 3.4, section 5.2.12: delivery receipt, delivery acknowledgement, intermediate notification.
 */
const RECEIPT_TYPES: readonly number[] = [0x04, 0x08, 0x20]
/** The highest message state of SMPP 5.0, section 4.7.15, where states run from scheduled to skipped. */
const LAST_MESSAGE_STATE = 9
const NATIONAL = 2

/** The maximum length of a phone number. SMPP limits an address to 20 characters. */
const MAX_PHONE_DIGITS = 20

/** Reads a message. Its text stays encoded, because characters may be cut between parts. */
export function readMessage(pdu: Pdu): ReadResult {
  if (pdu.isCut) return { outcome: 'refused', status: STATUS.invalidCommandLength }
  if (isReceipt(pdu)) return { outcome: 'receipt' }

  const calledNational = numberField(pdu, 'dest_addr_ton') === NATIONAL
  const destination = readDestination(textField(pdu, 'destination_addr'), { calledNational })
  const { phone } = destination
  if (phone === '' || phone.length > MAX_PHONE_DIGITS) return { outcome: 'refused', status: STATUS.invalidDestination }

  const shortMessage = octetsField(pdu, 'short_message')
  const octets = shortMessage.length > 0 ? shortMessage : octetsField(pdu, 'message_payload')
  const hasHeader = ((numberField(pdu, 'esm_class') ?? 0) & HAS_USER_DATA_HEADER) !== 0
  const { elements, body } = hasHeader ? splitUserData(octets) : { elements: [], body: octets }
  const dataCoding = numberField(pdu, 'data_coding') ?? 0
  const partOf = trusted(readConcatenation(elements) ?? readSegments(pdu))
  const notText = notTextByHeader({
    protocolId: numberField(pdu, 'protocol_id') ?? 0,
    dataCoding,
    elements,
    port: numberField(pdu, 'dest_port') ?? 0,
    // A part of a longer message cannot be judged by its body, because the next part may hold the text.
    body: partOf === null ? body : null,
  })
  const part = { ...destination, sender: senderText(octetsField(pdu, 'source_addr')), dataCoding, body }
  // Each part's header already tells that the message is no text, so parts need not wait for each other.
  return { outcome: 'message', part: notText === undefined ? { ...part, partOf } : { ...part, partOf: null, notText } }
}

/** Returns true for a delivery receipt. Many gateways omit the bits of `esm_class` and use optional fields instead. */
function isReceipt(pdu: Pdu): boolean {
  const esmClass = numberField(pdu, 'esm_class') ?? 0
  const state = numberField(pdu, 'message_state') ?? 0
  return (
    RECEIPT_TYPES.includes(esmClass & MESSAGE_TYPE_MASK) ||
    octetsField(pdu, 'receipted_message_id').some((octet) => octet > 0x20) ||
    (state > 0 && state <= LAST_MESSAGE_STATE)
  )
}

function readSegments(pdu: Pdu): PartOf | null {
  const reference = numberField(pdu, 'sar_msg_ref_num')
  const total = numberField(pdu, 'sar_total_segments')
  const sequence = numberField(pdu, 'sar_segment_seqnum')
  return reference === null || total === null || sequence === null ? null : { kind: 'sar', reference, total, sequence }
}

/** Returns a part's place. An impossible place (part 4 of 3, part 0) becomes null, and the part a whole message. */
function trusted(partOf: PartOf | null): PartOf | null {
  if (partOf === null || partOf.total < 2) return null
  return partOf.sequence >= 1 && partOf.sequence <= partOf.total ? partOf : null
}
