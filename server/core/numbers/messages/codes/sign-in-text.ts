import { type MessageText, marksOf, sentenceAt } from './message-text.ts'

type Place = { start: number; end: number }

/**
 * Returns a check whether a word for a code is about signing in. Coupons, deliveries and rides have codes too: such a
 * word in the same sentence decides, and elsewhere in the text unless this sentence tells the code's purpose. `given`
 * holds places where the text gives a code for a named service. Facts of the whole text are computed once, not for each
 * word.
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
 * True for “Your Uber Driver verification code”. Without a warning against sharing, such a code is told to the driver.
 */
function isOfProduct({ start, end }: Place, products: readonly Place[]): boolean {
  return products.some((place) => place.start < start && place.end >= end)
}

const SECRET =
  /(?:never|not|n't) (?:share|give|tell)|(?:communiquez|partagez) à personne|paylaşma|никому|нікому|nadie|ninguém|nessuno|niemand|nikomu/

/** True if the word is part of a warning: “Tell it to nobody, not even the driver.” */
function isWarnedOf({ folded }: MessageText, { start }: Place): boolean {
  return /(?:including|even|termasuk|kepada|даже|включая)(?: the| our| a)?\s$/.test(
    folded.slice(Math.max(0, start - 16), start),
  )
}
