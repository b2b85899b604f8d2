import { countSeptets } from './gsm-alphabet.ts'

/** The length of a full message without and with a multi-part header, in septets and UTF-16 units (3GPP 23.040). */
const FULL_SEPTETS: readonly number[] = [160, 153]
const FULL_UNITS: readonly number[] = [70, 67]

/** Returns true if a text fills its message to the last letter, so that it may continue in another message. */
export function isFullPart(text: string): boolean {
  const septets = countSeptets(text)
  return septets === null ? FULL_UNITS.includes(text.length) : FULL_SEPTETS.includes(septets)
}
