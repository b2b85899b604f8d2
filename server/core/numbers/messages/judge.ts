import type { FoundCode } from './codes/choose-code.ts'
import type { Reading } from './reading.ts'
import type { SenderBook } from './sender-book.ts'

export type Answer = { kind: 'code'; code: string | null } | { kind: 'notice' } | { kind: 'nobody'; why: WhyNobody }

export type WhyNobody = 'blank' | 'not-text' | 'operator' | 'payment' | 'other-service' | 'unknown-sender' | 'no-code'

/**
 * Returns what a message is for the only order that holds the phone: a code, a notice, or nothing. All callers use this
 * rule. If several accounts claim the phone, choose-owner.ts decides first.
 */
export function judge(book: SenderBook, reading: Reading, serviceCode: string): Answer {
  const why = whyNobody(book, reading, serviceCode)
  if (why !== null) return { kind: 'nobody', why }
  const code = codeOf(reading, serviceCode)
  if (code !== null) return { kind: 'code', code: code.value }
  return isNamedFor(reading, serviceCode) && reading.offers ? { kind: 'code', code: null } : { kind: 'notice' }
}

function whyNobody(book: SenderBook, reading: Reading, serviceCode: string): WhyNobody | null {
  const { naming } = reading
  if (reading.notText !== undefined) return 'not-text'
  if (reading.isBlank) return 'blank'
  if (naming.kind === 'operator') return 'operator'
  if (naming.kind !== 'none' && !naming.services.includes(serviceCode)) return 'other-service'
  if (reading.isPayment && !isNamedFor(reading, serviceCode)) return 'payment'
  const isNamed = naming.kind === 'named' || naming.kind === 'hinted'
  if (!isNamed && reading.leadsTo.includes(serviceCode)) return 'other-service'
  if (isNamed || !book.sendersKnown(serviceCode)) return null
  // A firm outside the catalogue that signs the text or gives the code counts as another service.
  if (reading.byOther) return 'other-service'
  if (reading.sender === 'letters') return 'unknown-sender'
  // Adverts name brands too, so a brand that an advert mentions does not count.
  const mayBeIts = naming.kind === 'mentioned' && !reading.isAdvert
  return codeOf(reading, serviceCode) === null && !mayBeIts ? 'no-code' : null
}

function isNamedFor({ naming }: Reading, serviceCode: string): boolean {
  return naming.kind === 'named' && naming.services.includes(serviceCode)
}

/** Returns the code for the service. Only the service's own sender needs no word for a code. */
function codeOf({ codes, senderServices, senderHints }: Reading, serviceCode: string): FoundCode | null {
  const code = codes.own[serviceCode] ?? codes.general
  if (code === null || code.proved) return code
  return senderServices.includes(serviceCode) || senderHints.includes(serviceCode) ? code : null
}
