import { type MessageText, marksOf, sentenceAt } from './codes/message-text.ts'
import { signInWords } from './codes/sign-in-text.ts'

/**
 * Whether the text itself hands over something to sign in with that is no code we can read: “one-time password:
 * KJHGFDSA”, “tap to sign in” with a link. `unsure`: it has several numbers beside a word for a code.
 */
export function offersSignIn(text: MessageText, unsure: boolean): boolean {
  if (marksOf(text, 'call').length > 0) return false
  return unsure || handsOverWord(text) || linksToSignIn(text)
}

/** Behind the word for a code and a colon: letters alone, or more of them than a code has. */
function handsOverWord(text: MessageText): boolean {
  const words = marksOf(text, 'code', 'secret').filter(({ end }) => UNREAD.test(text.plain.slice(end, end + 60)))
  return words.some(signInWords(text, []))
}

const UNREAD =
  /^(?: is| es| est| ist)?\s?[:：]\s{0,3}(?:[A-Z]{4,12}|(?=[A-Za-z]{0,15}\d)[A-Za-z0-9]{9,16}|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){2,4})[.!]?(?=\s*(?:\n|$)|[.!] )/

/** A warning has links as well, so whoever speaks of a stranger offers nothing. */
function linksToSignIn(text: MessageText): boolean {
  if (!text.links.some(({ linked, path }) => linked && path.length > 1)) return false
  if (marksOf(text, 'coupon', 'advert', 'errand', 'pay', 'alert', 'lead').length > 0) return false
  const auth = marksOf(text, 'auth')
  return marksOf(text, 'tap').some((tap) => {
    const [from, to] = sentenceAt(text, tap.start)
    return auth.some(({ start, end }) => start >= from && end <= to)
  })
}
