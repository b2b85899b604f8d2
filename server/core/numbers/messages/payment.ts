import type { Place } from './brands/standing.ts'
import type { MessageText } from './codes/message-text.ts'

/**
 * Returns true if the text tells of a payment: it has an amount, a word for money, or a masked card. Sign-in texts also
 * mask accounts, phones and identity papers. `brands` are skipped, because words within brands prove nothing.
 */
export function isPayment({ folded, marks }: MessageText, brands: readonly Place[]): boolean {
  const isBrand = (place: Place) => brands.some(({ start, end }) => start <= place.start && end >= place.end)
  return (
    (marks.some(({ kind }) => kind === 'card') && HAS_MASKED.test(folded) && MASKED.test(folded)) ||
    marks.some((mark) => {
      if (mark.kind === 'pay') return !isBrand(mark)
      if (mark.kind === 'money') return isAmount(folded, mark) && !isBrand(mark)
      return mark.kind === 'card' && CARD_END.test(folded.slice(mark.end, mark.end + 16))
    })
  )
}

function isAmount(folded: string, { start, end }: Place): boolean {
  return (
    /\d[.,]?-?\s?$/.test(folded.slice(Math.max(0, start - 4), start)) || /^\s?\.?\d/.test(folded.slice(end, end + 3))
  )
}

const HAS_MASKED = /[*•·xх]-? ?\d{4}/u
/** Matches the masked end of a card number, `*1234` or `xx1234`, but no part of a masked telephone number. */
const MASKED = /(?<![\d+*•·xх#()-])(?<!\d )(?:[*•·]{1,4}|[xх]{2,12}|[*•]{4} [*•]{4} [*•]{4} ?)-?\d{4}(?![\d*#-])/u
/** Matches the gap between a word for a card and the card's last digits. */
const CARD_END = /^[\s:#№.*•·xх_n°º-]{0,8}(?:in |на |auf |la |de |en |em )?[*•·xх]{0,4}\d{4}(?!\d)/u
