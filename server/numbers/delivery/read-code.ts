import { FULL_NUMBER } from '#contract/rental.ts'
import { extractCode } from '#server/numbers/messages/codes/extract-code.ts'
import type { Claim } from './choose-owner.ts'
import type { NewMessage } from './queries/message-row.ts'

/** By the rule of its owner's service; on a whole number, of the service it names. */
export function codeFor(
  { text, naming, phone }: Pick<NewMessage, 'text' | 'naming' | 'phone'>,
  owner: Pick<Claim, 'serviceCode'> | null,
): string | null {
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return extractCode(writer ?? '', text, phone)
}
