import { FULL_NUMBER } from '#contract/rental.ts'
import { extractCode } from '#server/numbers/messages/codes/extract-code.ts'
import type { Claim } from './choose-owner.ts'
import type { NewMessage } from './queries/message-row.ts'

/** The code in a message, as the service of its owner writes it; on a whole number, the service it names. */
export function codeFor(
  { text, naming, phone }: Pick<NewMessage, 'text' | 'naming' | 'phone'>,
  owner: Pick<Claim, 'serviceCode'> | null,
): string | null {
  const named = naming.kind === 'named' ? naming.services[0] : undefined
  const writer = owner === null || owner.serviceCode === FULL_NUMBER ? named : owner.serviceCode
  return extractCode(writer ?? '', text, phone)
}
