import { type MessageText, marksOf, sentenceAt } from './message-text.ts'

type Place = { start: number; end: number }

/**
 * Whether a word for a code speaks of signing in. Coupons, deliveries and rides have codes too: within the sentence
 * such a word decides, elsewhere in the text it does unless this sentence says what the code is for. `given`: where the
 * text gives a code for a service by name.
 */
export function isSignIn(text: MessageText, word: Place, given: readonly Place[]): boolean {
  const foreign = marksOf(text, 'coupon', 'errand', 'advert', 'notcode').filter(
    (mark) => !isWarnedOf(text, mark) && !isOfProduct(text, mark, given),
  )
  if (foreign.length === 0) return true
  const [from, to] = sentenceAt(text, word.start)
  const within = ({ start, end }: Place) => start >= from && end <= to
  const isGiven = given.some(within)
  if (foreign.some((mark) => within(mark) && !(isGiven && mark.kind === 'advert'))) return false
  return isGiven || marksOf(text, 'auth').some(within) || !foreign.some(({ kind }) => kind !== 'notcode')
}

/** “Your Uber Driver verification code”; without a word against sharing it is told to the driver. */
function isOfProduct(text: MessageText, { start, end }: Place, given: readonly Place[]): boolean {
  const isPart = given.some((place) => place.start < start && place.end >= end)
  return isPart && (marksOf(text, 'auth').length > 0 || SECRET.test(text.folded))
}

const SECRET =
  /(?:never|not|n't) (?:share|give|tell)|(?:communiquez|partagez) à personne|paylaşma|никому|нікому|nadie|ninguém|nessuno|niemand|nikomu/

/** “Tell it to nobody, not even the driver.” */
function isWarnedOf({ folded }: MessageText, { start }: Place): boolean {
  return /(?:including|even|termasuk|kepada|даже|включая)(?: the| our| a)?\s$/.test(
    folded.slice(Math.max(0, start - 16), start),
  )
}
