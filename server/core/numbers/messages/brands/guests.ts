import { type MessageText, marksOf, sentenceAt } from '../codes/message-text.ts'
import type { Brand, Brands } from './find-brands.ts'
import { isGivenByOther, isMeantForOther, isSignedAside, isSignedByOther } from './other-giver.ts'
import { OF_ACCOUNT, type Place } from './standing.ts'

/** The kind of sender: an unknown name, the name of another firm, or neither. */
export type From = 'stranger' | 'firm' | 'anybody'

type IsKin = (one: Brand, other: Brand) => boolean

/**
 * Drops brands that another firm's text only names. In such a text a brand gives the code only if the code is called
 * the brand's own (“your Telegram code”). “Acme: code 1234 for your Steam wallet”, “【Acme】微信登录验证码” and “your Google
 * code for Acme” are codes of Acme.
 */
export function withoutGuests(
  text: MessageText,
  brands: Brands,
  { from, isAtHome, isKin }: { from: () => From; isAtHome: (brand: Brand) => boolean; isKin: IsKin },
): Brands {
  const all = [...brands.giving, ...brands.mentioned, ...brands.hinted]
  // The prefix in `G-1234` proves that Google gives the code, whatever other brand is named.
  const proofs = all.filter(({ said }) => said.endsWith('-'))
  const isProved = ({ services: [first] }: Brand) => proofs.some(({ services }) => services[0] === first)
  const known = all.filter((brand) => !isAtHome(brand) && !isProved(brand))
  if (known.length === 0) return brands
  const guests = guestsAmong(text, known, { places: [...all, ...brands.leading], from, isKin })
  if (guests.length === 0) return brands
  const others = ({ start }: Place) => !guests.some((guest) => guest.start === start)
  return {
    ...brands,
    giving: brands.giving.filter(others),
    mentioned: brands.mentioned.filter(others),
    hinted: brands.hinted.filter(others),
    leading: [...brands.leading, ...guests],
    hasGuests: guests.some((guest) => brands.giving.includes(guest)),
  }
}

function guestsAmong(
  text: MessageText,
  known: readonly Brand[],
  { places, from, isKin }: { places: readonly Brand[]; from: () => From; isKin: IsKin },
): readonly Brand[] {
  if (isMeantForOther(text, places) || isSignedAside(text, places)) return known
  const said = known.filter((brand) => brand.isProduct || !isOwnCode(text, brand) || isLater(text, brand))
  if (said.length === 0 || isGivenByOther(text, places)) return said
  const sender = from()
  if (sender === 'firm') return said
  return said.filter(
    (brand) =>
      (sender === 'stranger' && hasThing(text, brand)) ||
      // Returns true if another brand signs the text, even in half of the signature, as in “【京东金融】微信绑定验证码”.
      isSignedByOther(
        text,
        places.filter((other) => isKin(brand, other)),
      ),
  )
}

/**
 * Returns true if only known words stand between the brand and the word for a code, and no word for binding an account
 * stands before the brand.
 */
function isOwnCode(text: MessageText, { start, end }: Brand): boolean {
  const { folded } = text
  return marksOf(text, 'code', 'secret').some((word) => {
    if (word.start < end && word.end > start) return true
    if (word.end <= start) return /^[ :"'«“]{1,3}$/.test(folded.slice(word.end, start))
    // In “Confirm your X account with the code” the code need not belong to the brand X.
    if (word.start - end > MAX_BETWEEN || WITH_CODE.test(folded.slice(word.start, word.end))) return false
    return isFilled(text, end + (OF_ACCOUNT.exec(folded.slice(end, word.start + 1))?.[0].length ?? 0), word.start)
  })
}

const WITH_CODE = /^(?:кодом|kodem|kodom|kódem|kódom)$/
const MAX_BETWEEN = 40

/**
 * Returns true if only punctuation and known words, none for signing in, stand between brand and word for a code. In
 * “Acme: X login code” the code is Acme's.
 */
function isFilled({ folded, allMarks }: MessageText, from: number, to: number): boolean {
  const gap = folded.slice(from, to)
  if (NO_SPACES.test(gap)) {
    return OWN_GAP.test(gap) && !TIES.test(folded.slice(Math.max(0, from - TIED_REACH), from))
  }
  if (SIGNS_IN.test(gap)) return false
  let at = from
  while (at < to) {
    const mark = allMarks.find(({ kind, start }) => start === at && BETWEEN.has(kind))
    if (mark === undefined && /[\p{L}\p{N}]/u.test(folded.charAt(at))) return false
    at = mark?.end ?? at + 1
  }
  return true
}

const TIED_REACH = 12
const BETWEEN: ReadonlySet<string> = new Set(['auth', 'link', 'code', 'secret'])
const NO_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー ]*$/u
/** Matches “of the telephone”, “of an account” or “for security” between brand and code, in scripts without spaces. */
const OWN_GAP =
  /^(?: |的|の|账号|帐号|账户|帳號|アカウント|계정|手机|手機|短信|簡訊|安全|验证|驗證|本人|確認|認証|認證|본인|확인|인증|보안|동적|动态)*$/u
const TIES =
  /绑定|綁定|解绑|解綁|关联|關聯|授权|授權|解除|修改|更换|更換|变更|變更|收款|付款|提现|提現|转账|轉帳|充值|通知|推送|客服|连携|連携|紐付|連動|연동|연결/u
const SIGNS_IN =
  /(?<!\p{L})(?:log(?:ging)?[ -]?(?:in|on)|sign(?:ing)?[ -]?(?:in|on|up)|anmelde|einlog|login|connexion|acceso|acesso|accesso|ingreso|entrar|logowani|zalogow|přihl|prihl|belépés|bejelent|conectare|logare|prijav|вход|войти|авториз|вхід|входу|уваход|влиз|σύνδεσ|giriş|giris|kirish|masuk|inlog|innlog|đăng nhập|dang nhap|เข้าสู่ระบบ|ورود|دخول|الدخول|लॉग|লগ|כניסה|התחבר)|登录|登陆|登錄|登入|ログイン|로그인/u

/** Returns true if the code precedes the brand's sentence: “Your Acme code is 1234. We also sent it to WhatsApp”. */
function isLater(text: MessageText, { start }: Brand): boolean {
  const [from, to] = sentenceAt(text, start)
  return HAS_NUMBER.test(text.folded.slice(0, from)) && !HAS_NUMBER.test(text.folded.slice(from, to))
}

const HAS_NUMBER = /\d{2}[ -]?\d{2}/

/** Returns true if another noun follows the brand: “Code 1234 to confirm your PayPal address”. */
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
