import { countSeptets } from './gsm-alphabet.ts'

/** 3GPP 23.040: what one message holds without and with the header that numbers parts, in septets and in UTF-16. */
const FULL_SEPTETS: readonly number[] = [160, 153]
const FULL_UNITS: readonly number[] = [70, 67]

/** Whether a text may go on in another message: it fills its own to the last letter. */
export function isFullPart(text: string): boolean {
  const septets = countSeptets(text)
  return septets === null ? FULL_UNITS.includes(text.length) : FULL_SEPTETS.includes(septets)
}
