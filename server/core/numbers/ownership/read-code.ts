import { FULL_NUMBER } from '#contract/rental.ts'
import type { Reading } from '../messages/reading.ts'

/** By the rule of its owner's service; on a whole number, of the service that it names. */
export function codeFor(reading: Reading, owner: { serviceCode: string } | null): string | null {
  const { naming, codes } = reading
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return (codes.own[writer ?? ''] ?? codes.general)?.value ?? null
}
