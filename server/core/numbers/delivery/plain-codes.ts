import type { PlainCodes } from '#server/core/numbers/activations/queries/sms.ts'
import { judge } from '#server/core/numbers/messages/judge.ts'
import type { Reading } from '#server/core/numbers/messages/reading.ts'
import type { SenderBook } from '#server/core/numbers/messages/sender-book.ts'

/**
 * Returns the codes that the only holder of the number may get from a message: a general code, and codes for single
 * services. Returns null if the message must be judged in full (judge.ts).
 */
export function readPlainCodes(book: SenderBook, reading: Reading): PlainCodes | null {
  const { naming, codes, sender } = reading
  if (reading.isBlank || reading.notText !== undefined || reading.isPayment) return null
  if (naming.kind === 'named' || naming.kind === 'mentioned') {
    const own: Record<string, string> = {}
    for (const service of naming.services) {
      const answer = judge(book, reading, service)
      if (answer.kind !== 'code') return null
      if (answer.code !== null) own[service] = answer.code
    }
    return { general: null, own }
  }
  const { general, own } = codes
  // An alphabetic sender, or a text that another firm signs, makes the code depend on the holder's service.
  const depends = sender === 'letters' || reading.byOther || reading.leadsTo.length > 0
  if (naming.kind !== 'none' || depends || general?.proved !== true) return null
  const proved = Object.entries(own).filter(([, code]) => code.proved)
  return { general: general.value, own: Object.fromEntries(proved.map(([service, { value }]) => [service, value])) }
}
