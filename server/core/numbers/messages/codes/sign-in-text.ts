import { type MessageText, marksOf, sentenceAt } from './message-text.ts'

type Place = { start: number; end: number }

/**
 * Returns a function that tells whether a word for a code is about signing in. Coupons, deliveries and rides have codes
 * too. A word for a coupon or delivery rules out sign-in codes in its sentence. In another sentence, it rules them out
 * unless the code's own sentence tells a purpose. `given` holds places where the text gives a code for a named service.
 * Facts of the whole text are computed once, not for each word.
 */
export function signInWords(text: MessageText, given: readonly Place[]): (word: Place) => boolean {
  const auth = marksOf(text, 'auth')
  const products = given.length > 0 && (auth.length > 0 || SECRET.test(text.folded)) ? given : []
  const foreign = marksOf(text, 'coupon', 'errand', 'advert', 'notcode').filter(
    (mark) => !isWarnedOf(text, mark) && !isOfProduct(mark, products),
  )
  const isAbout = foreign.some(({ kind }) => kind !== 'notcode')
  return (word) => {
    if (foreign.length === 0) return true
    const [from, to] = sentenceAt(text, word.start)
    const within = ({ start, end }: Place) => start >= from && end <= to
    const isGiven = given.some(within)
    if (foreign.some((mark) => within(mark) && !(isGiven && mark.kind === 'advert'))) return false
    return isGiven || auth.some(within) || !isAbout
  }
}

/**
 * Returns true if a word such as “driver” is part of a service's product: “Your Uber Driver verification code”. Without
 * a warning against sharing, a code with such a word is meant to be told to the driver.
 */
function isOfProduct({ start, end }: Place, products: readonly Place[]): boolean {
  return products.some((place) => place.start < start && place.end >= end)
}

const SECRET =
  /(?:never|not|n't) (?:share|give|tell)|(?:communiquez|partagez) à personne|paylaşma|никому|нікому|nadie|ninguém|nessuno|niemand|nikomu/

/** Returns true if the word is part of a warning: “Tell it to nobody, not even the driver.” */
function isWarnedOf({ folded }: MessageText, { start }: Place): boolean {
  return /(?:including|even|termasuk|kepada|даже|включая)(?: the| our| a)?\s$/.test(
    folded.slice(Math.max(0, start - 16), start),
  )
}
