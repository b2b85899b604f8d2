/** The place of a part in its message. The sender chooses `reference`, which wraps around. `sequence` begins at 1. */
export type PartOf = {
  kind: 'udh8' | 'udh16' | 'sar'
  reference: number
  total: number
  sequence: number
}

export type HeaderElement = { identifier: number; data: Buffer }

const CONCATENATED_8_BIT = 0x00
const CONCATENATED_16_BIT = 0x08

/** Splits octets into header and body by GSM 03.40, section 9.2.3.24. */
export function splitUserData(octets: Buffer): { elements: HeaderElement[]; body: Buffer } {
  const headerLength = octets[0] ?? 0
  const end = headerLength + 1
  // A header that does not fit is not trusted. The whole body then counts as text, so that no text is lost.
  if (octets.length === 0 || end > octets.length) return { elements: [], body: octets }
  return { elements: readElements(octets.subarray(1, end)), body: octets.subarray(end) }
}

function readElements(header: Buffer): HeaderElement[] {
  const elements: HeaderElement[] = []
  for (let at = 0; at + 2 <= header.length; ) {
    const length = header.readUInt8(at + 1)
    const data = header.subarray(at + 2, at + 2 + length)
    if (data.length === length) elements.push({ identifier: header.readUInt8(at), data })
    at += 2 + length
  }
  return elements
}

/**
 * Returns which part of a long message a header announces, or null if it announces none. By GSM 03.40, the last of
 * repeated elements counts.
 */
export function readConcatenation(elements: readonly HeaderElement[]): PartOf | null {
  return elements.reduce<PartOf | null>((found, element) => readPartOf(element) ?? found, null)
}

function readPartOf({ identifier, data }: HeaderElement): PartOf | null {
  if (identifier === CONCATENATED_8_BIT && data.length === 3) {
    return { kind: 'udh8', reference: data.readUInt8(0), total: data.readUInt8(1), sequence: data.readUInt8(2) }
  }
  if (identifier === CONCATENATED_16_BIT && data.length === 4) {
    return { kind: 'udh16', reference: data.readUInt16BE(0), total: data.readUInt8(2), sequence: data.readUInt8(3) }
  }
  return null
}
