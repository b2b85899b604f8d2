/** The state in a delivery receipt (SMPP 3.4, appendix B). Gateways omit fields and change their order. */
const STATE =
  /(?:^|\s)stat(?:us)?:\s?(?:DELIVRD|ACCEPTD|ENROUTE|EXPIRED|DELETED|UNDELIV|UNKNOWN|REJECTD|SKIPPED|SCHEDULED|FAILED)\b/i
const BEGINNING = /^\s*id:\s?\S+\s/i
const OTHER_FIELD = /\s(?:sub|dlvrd|submit date|done date|err):/i

/** Returns true if a text is a delivery receipt: `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:…`. */
export function isReceiptText(text: string): boolean {
  return BEGINNING.test(text) && STATE.test(text) && OTHER_FIELD.test(text)
}

export const RECEIPT = { outcome: 'ignored' as const, reason: 'it is the receipt of a message that was sent' }
