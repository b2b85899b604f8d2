import { FULL_NUMBER } from '#contract/rental.ts'
import type { Reading } from '../messages/reading.ts'

/**
 * Reads the code of a message by the rule of the order's service. If there is no order, or the order is for all
 * services, the rule of the service that the message names is used.
 */
export function codeFor(reading: Reading, owner: { serviceCode: string } | null): string | null {
  const { naming, codes } = reading
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return (codes.own[writer ?? ''] ?? codes.general)?.value ?? null
}
