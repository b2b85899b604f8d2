import { type MessageText, marksOf, sentenceAt } from './codes/message-text.ts'
import { signInWords } from './codes/sign-in-text.ts'

/**
 * Returns true if the text gives a means to sign in that we cannot read as a code. Examples are “one-time password:
 * KJHGFDSA”, and “tap to sign in” with a link. `unsure` means that several numbers stand beside a word for a code.
 */
export function offersSignIn(text: MessageText, unsure: boolean): boolean {
  if (marksOf(text, 'call').length > 0) return false
  return unsure || handsOverWord(text) || linksToSignIn(text)
}

/** Returns true if a word of letters alone, or a word longer than a code, follows a word for a code and a colon. */
function handsOverWord(text: MessageText): boolean {
  const words = marksOf(text, 'code', 'secret').filter(({ end }) => UNREAD.test(text.plain.slice(end, end + 60)))
  return words.some(signInWords(text, []))
}

const UNREAD =
  /^(?: is| es| est| ist)?\s?[:：]\s{0,3}(?:[A-Z]{4,12}|(?=[A-Za-z]{0,15}\d)[A-Za-z0-9]{9,16}|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){2,4})[.!]?(?=\s*(?:\n|$)|[.!] )/

/** Returns true if a link offers to sign in. Warnings about strangers have links too, but they offer nothing. */
function linksToSignIn(text: MessageText): boolean {
  if (!text.links.some(({ linked, path }) => linked && path.length > 1)) return false
  if (marksOf(text, 'coupon', 'advert', 'errand', 'pay', 'alert', 'lead').length > 0) return false
  const auth = marksOf(text, 'auth')
  return marksOf(text, 'tap').some((tap) => {
    const [from, to] = sentenceAt(text, tap.start)
    return auth.some(({ start, end }) => start >= from && end <= to)
  })
}
