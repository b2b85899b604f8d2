import { isText, readOctets } from '#server/adapters/shared/incoming/readable.ts'
import type { NotText } from '#server/core/suppliers/supplier.ts'
import { alphabetOf, decodeText } from './alphabet.ts'
import type { HeaderElement } from './user-data-header.ts'

/** The protocol of a type 0 message, which no phone shows (GSM 03.40, section 9.2.3.9). */
const SILENT_PROTOCOL = 0x40
const FIRST_DATA_PROTOCOL = 0x7c
const LAST_DATA_PROTOCOL = 0x7f

/** The header elements of GSM 03.40, section 9.2.3.24, and 3GPP 31.115. */
const ELEMENT = { waiting: 0x01, port8: 0x04, port16: 0x05, voiceMail: 0x23, firstOfCard: 0x70, lastOfCard: 0x7f }
const KEEPS_TEXT = 0x80

const PUSH_PORTS: readonly number[] = [2948, 2949, 9200, 9201, 9202, 9203, 9204, 9205, 9206, 9207]

const CLASS_OF_CARD = 2
const VISIBLE = /[\p{L}\p{N}]/u

type Told = {
  protocolId: number
  dataCoding: number
  elements: readonly HeaderElement[]
  port: number
  /** The text's octets, or null for a part of a longer message. */
  body: Buffer | null
}

/** Classifies a message by its header, not its body (docs/api/smpp.md). Undefined means text, or octets to inspect. */
export function notTextByHeader({ protocolId, dataCoding, elements, port, body }: Told): NotText | undefined {
  if (protocolId === SILENT_PROTOCOL) return 'silent'
  if (protocolId >= FIRST_DATA_PROTOCOL && protocolId <= LAST_DATA_PROTOCOL) return 'sim-data'
  if (elements.some(({ identifier: id }) => id >= ELEMENT.firstOfCard && id <= ELEMENT.lastOfCard)) return 'sim-data'
  if (isForCard(dataCoding, body)) return 'sim-data'
  const ports = [...(port === 0 ? [] : [port]), ...elements.flatMap(portsOf)]
  if (ports.some((one) => PUSH_PORTS.includes(one))) return 'wap-push'
  if (ports.length > 0) return 'port-addressed'
  const waiting = [waitingByCoding(dataCoding), ...elements.map(waitingByElement)]
  // A phone stores some indications (of waiting voice mail), which may contain a readable text.
  if (waiting.includes('alone') || (waiting.includes('with-text') && isBlank(dataCoding, body))) return 'indication'
  return undefined
}

/**
 * Returns true if a message of class 2, for the SIM card, is data. Binary octets are data, but words are for people.
 */
function isForCard(dataCoding: number, body: Buffer | null): boolean {
  const hasClass = dataCoding >= 0xf0 || (dataCoding < 0x80 && (dataCoding & 0x10) !== 0)
  if (!hasClass || (dataCoding & 0x03) !== CLASS_OF_CARD) return false
  if ((dataCoding & 0x04) !== 0) return true
  if (body === null) return false
  return alphabetOf(dataCoding, 'gsm7') === 'ucs2' ? !isText(decodeText(body, 'ucs2')) : readOctets(body) === null
}

function isBlank(dataCoding: number, body: Buffer | null): boolean {
  return body !== null && !VISIBLE.test(decodeText(body, alphabetOf(dataCoding, 'gsm7')))
}

function portsOf({ identifier, data }: HeaderElement): number[] {
  if (identifier === ELEMENT.port8 && data.length === 2) return [data.readUInt8(0)]
  return identifier === ELEMENT.port16 && data.length === 4 ? [data.readUInt16BE(0)] : []
}

type Waiting = 'alone' | 'with-text' | null

function waitingByCoding(dataCoding: number): Waiting {
  if (dataCoding >= 0xc0 && dataCoding < 0xd0) return 'alone'
  return dataCoding >= 0xd0 && dataCoding < 0xf0 ? 'with-text' : null
}

function waitingByElement({ identifier, data }: HeaderElement): Waiting {
  if (identifier === ELEMENT.voiceMail) return 'alone'
  if (identifier !== ELEMENT.waiting) return null
  return ((data[0] ?? 0) & KEEPS_TEXT) === 0 ? 'alone' : 'with-text'
}
