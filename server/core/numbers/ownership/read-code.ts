import { FULL_NUMBER } from '#contract/rental.ts'
import type { Reading } from '../messages/reading.ts'

/** Reads the code by the rule of the order's service, or of the named service if the order is for all or missing. */
export function codeFor(reading: Reading, owner: { serviceCode: string } | null): string | null {
  const { naming, codes } = reading
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return (codes.own[writer ?? ''] ?? codes.general)?.value ?? null
}
