import { countSeptets } from './gsm-alphabet.ts'

/** 3GPP 23.040: a message's length without and with the multi-part header, in septets and in UTF-16 units. */
const FULL_SEPTETS: readonly number[] = [160, 153]
const FULL_UNITS: readonly number[] = [70, 67]

/** Returns whether a text may continue in another message, because it fills its own to the last letter. */
export function isFullPart(text: string): boolean {
  const septets = countSeptets(text)
  return septets === null ? FULL_UNITS.includes(text.length) : FULL_SEPTETS.includes(septets)
}
