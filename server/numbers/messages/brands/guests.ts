import { type MessageText, marksOf, sentenceAt } from '../codes/message-text.ts'
import type { Brand, Brands } from './find-brands.ts'
import { isGivenByOther } from './other-giver.ts'
import { OF_ACCOUNT } from './product-words.ts'
import type { Place } from './standing.ts'

/**
 * In a text of another firm a brand gives the code only where it is said to be its own: “your Telegram code”. “Acme:
 * code 1234 for your Steam wallet”, “【Acme】微信绑定验证码” lead to it. `isForeign`: the sender is a name that we do not know.
 */
export function withoutGuests(
  text: MessageText,
  brands: Brands,
  { isForeign, isAtHome }: { isForeign: () => boolean; isAtHome: (brand: Brand) => boolean },
): Brands {
  const known = [...brands.giving, ...brands.mentioned, ...brands.hinted].filter((brand) => !isAtHome(brand))
  if (known.length === 0) return brands
  const said = known.filter((brand) => !isOwnCode(text, brand) || isLater(text, brand))
  if (said.length === 0) return brands
  const places = [...brands.giving, ...brands.mentioned, ...brands.hinted, ...brands.leading]
  const guests = isGivenByOther(text, places) ? said : isForeign() ? said.filter((brand) => hasThing(text, brand)) : []
  if (guests.length === 0) return brands
  const others = ({ start }: Place) => !guests.some((guest) => guest.start === start)
  return {
    ...brands,
    giving: brands.giving.filter(others),
    mentioned: brands.mentioned.filter(others),
    hinted: brands.hinted.filter(others),
    leading: [...brands.leading, ...guests],
  }
}

/** Only words of the field stand between the brand and a word for a code behind it; nothing before it. */
function isOwnCode(text: MessageText, { start, end }: Brand): boolean {
  const { folded } = text
  return marksOf(text, 'code', 'secret').some((word) => {
    if (word.start < end && word.end > start) return true
    if (word.end <= start) return /^[ :"'«“]{1,3}$/.test(folded.slice(word.end, start))
    // “Confirm your X account with the code”.
    if (word.start - end > MAX_BETWEEN || WITH_CODE.test(folded.slice(word.start, word.end))) return false
    return isFilled(text, end + (OF_ACCOUNT.exec(folded.slice(end, word.start + 1))?.[0].length ?? 0), word.start)
  })
}

const WITH_CODE = /^(?:кодом|kodem|kodom|kódem|kódom)$/
const MAX_BETWEEN = 40

/** Marks and spaces alone; in scripts without spaces letters of their own, unless two accounts are tied. */
function isFilled({ folded, allMarks }: MessageText, from: number, to: number): boolean {
  const gap = folded.slice(from, to)
  if (/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー ]*$/u.test(gap)) {
    return !TIES.test(gap) && !TIES.test(folded.slice(Math.max(0, from - TIED_REACH), from))
  }
  let at = from
  while (at < to) {
    const mark = allMarks.find(({ kind, start, end }) => start === at && end <= to && BETWEEN.has(kind))
    if (mark === undefined && /[\p{L}\p{N}]/u.test(folded.charAt(at))) return false
    at = mark?.end ?? at + 1
  }
  return true
}

const TIED_REACH = 12
const BETWEEN: ReadonlySet<string> = new Set(['auth', 'link', 'code', 'secret'])
/** To bind, to pay out, to let in, to change. */
const TIES =
  /绑定|綁定|解绑|解綁|关联|關聯|授权|授權|解除|修改|更换|更換|变更|變更|收款|付款|提现|提現|转账|轉帳|充值|通知|推送|客服|连携|連携|紐付|連動|연동|연결/u

/** “Your Acme code is 1234. We also sent it to your WhatsApp”: the code stands in a sentence before. */
function isLater(text: MessageText, { start }: Brand): boolean {
  const [from, to] = sentenceAt(text, start)
  return HAS_NUMBER.test(text.folded.slice(0, from)) && !HAS_NUMBER.test(text.folded.slice(from, to))
}

const HAS_NUMBER = /\d{2}[ -]?\d{2}/

/** “Code 1234 to confirm your PayPal address”: another word goes on behind the brand. */
function hasThing({ plain, folded, allMarks }: MessageText, { end }: Brand): boolean {
  const thing = /^ (\p{Ll}{3,20})(?![\p{L}\d])/u.exec(plain.slice(end, end + 24))?.[1]
  if (thing === undefined || VERBS.has(thing)) return false
  return (
    HAS_NUMBER.test(folded.slice(0, end)) &&
    !allMarks.some(({ start, end: last }) => start <= end + 1 && last > end + 1)
  )
}

const VERBS: ReadonlySet<string> = new Set(
  'was has have had will can must should may does and but with that which who'.split(' '),
)
