import { usualLength } from '#contract/formats/phone-format.ts'
import { hashText } from '#contract/formats/text-hash.ts'

export type Example = {
  /** The digits of an invented number, with the country's dialling code. */
  phone: string
  code: string
}

/** How mobile numbers of some countries begin. The numbers of the USA and of the United Kingdom are kept for fiction. */
const BEGINS: Record<string, string> = {
  BR: '11',
  CA: '204555',
  DE: '151',
  FR: '6',
  GB: '7700900',
  ID: '812',
  IN: '98',
  KZ: '705',
  PL: '512',
  RU: '912',
  TR: '532',
  UA: '67',
  US: '202555',
}
/** A run of zeros shows at a glance that nobody has the number. */
const THEN = '01'
const ENDING_DIGITS = 2
const CODE_DIGITS = { tg: 5 } as Partial<Record<string, number>>
const USUAL_CODE_DIGITS = 6

/** Invents a number in the form of its country, and a code in the form of its service; always the same for a pair. */
export function exampleOf(service: { id: string }, country: { iso2: string; dial: string }): Example {
  const drawn = hashText(`${service.id} ${country.iso2}`)
  const length = usualLength(country.dial)
  const begins = `${BEGINS[country.iso2] ?? '9'}${THEN}`.slice(0, Math.max(1, length - ENDING_DIGITS))
  const ending = String(10 + (drawn % 90))
  const zeros = '0'.repeat(Math.max(0, length - begins.length - ENDING_DIGITS))
  const least = 10 ** ((CODE_DIGITS[service.id] ?? USUAL_CODE_DIGITS) - 1)
  return {
    phone: `${country.dial.replace('+', '')}${begins}${zeros}${ending}`,
    code: String(least + (drawn % (9 * least))),
  }
}
