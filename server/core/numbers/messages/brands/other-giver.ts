import { type MessageText, sentenceAt } from '../codes/message-text.ts'
import type { Mark } from '../words/lexicon.ts'
import type { Brand } from './find-brands.ts'
import { endOfProduct } from './products.ts'
import type { Place } from './standing.ts'

/**
 * Returns true if a firm outside the catalogue signs the text or gives the code: “Acme: your code …”, “[Acme] …”, “your
 * Acme code”, “code for Acme”. `brands` are the places of known brands and of the sender's name. If a service's own
 * sender sent the text (`isOwn`), only a signature or a named giver counts. If the text names a known brand
 * (`saysBrand`), an unknown name alone proves nothing.
 */
export function hasOtherGiver(
  text: MessageText,
  brands: readonly Place[],
  { isOwn, saysBrand }: { isOwn: boolean; saysBrand: boolean },
): boolean {
  if (phrasesOf(text).some((phrase) => isForeign(text, phrase, brands))) return true
  if (isOwn) return false
  return hasOtherPurpose(text, brands) || (!saysBrand && hasName(text, brands))
}

/** Returns true for a name in a sentence, if the language capitalises only names: “thanks for choosing Acme”. */
function hasName(text: MessageText, brands: readonly Place[]): boolean {
  const { plain, folded, marks } = text
  if (!marks.some(({ kind }) => kind === 'code' || kind === 'secret' || kind === 'auth') || GERMAN.test(folded))
    return false
  return [...plain.matchAll(NAME)].some(({ 0: name, index }) => {
    const isFirst = /(?:^|[.!?:\n-])[\s"'«“(]{0,4}$/u.test(plain.slice(Math.max(0, index - 6), index))
    return !isFirst && !DAYS.test(name) && isUnknown(text, { start: index, end: index + name.length }, brands)
  })
}

const NAME = /(?<![\p{L}\d.@/'-])\p{Lu}\p{Ll}{2,20}(?![\p{L}\d])/gu
const GERMAN = /[äöüß]|(?<!\p{L})(?:ihr|dein|der|die|das|und|ist|bitte|nicht|sie|für)(?!\p{L})/u
const DAYS =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|Mon|Tue|Wed|Thu|Fri|Sat|Sun|[A-Z][a-z]{2,6}day)$/

/** Returns true for “Visitor code 4821” or “code 4821 for the register” in sentences not about signing in. */
function hasOtherPurpose(text: MessageText, brands: readonly Place[]): boolean {
  const { folded, marks } = text
  return marks.some((mark) => {
    if (mark.kind !== 'code' && mark.kind !== 'secret') return false
    const [from, to] = sentenceAt(text, mark.start)
    if (marks.some(({ kind, start, end }) => kind === 'auth' && start >= from && end <= to)) return false
    if (!/\d{3}[ -]?\d/.test(folded.slice(from, to))) return false
    const before = WORD_BEFORE.exec(folded.slice(Math.max(from, mark.start - MAX_NAME), mark.start))
    if (before !== null && isUnknown(text, { start: mark.start - before[0].length, end: mark.start - 1 }, brands))
      return true
    const behind = PURPOSE.exec(folded.slice(mark.end, Math.min(to, mark.end + MAX_NAME + 20)))
    if (behind === null) return false
    const end = mark.end + behind[0].length
    return isUnknown(text, { start: end - (behind[1]?.length ?? 0), end }, brands)
  })
}

const WORD_BEFORE = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{3,24} $/u
const PURPOSE =
  /^[:\s]{0,2}(?:(?:is|-)\s)?[\d-]{0,9}\s?(?:for|для|pour|para|per|für|voor|pro|dla|do|za|för|til|için|de|del|du|da|do|di) (?:(?:the|a|an|la|le|el|il|o|die|das|den|de|het)\s)?([\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{3,24})/u

const FIELD: readonly Mark['kind'][] = ['code', 'secret', 'auth', 'link', 'use', 'unit', 'tap', 'alert', 'call']

function isUnknown({ folded, allMarks: marks }: MessageText, { start, end }: Place, brands: readonly Place[]): boolean {
  const covers = (place: Place) => place.start < end && place.end > start
  if (brands.some(covers) || marks.some((mark) => FIELD.includes(mark.kind) && covers(mark))) return false
  return !ORDINARY.has(folded.slice(start, end))
}

const MAX_NAME = 40
const MAX_PHRASES = 12

function phrasesOf(text: MessageText): Place[] {
  const { plain, marks } = text
  const phrases = [...headsOf(text), ...yoursOf(text)]
  if (/[[【]|^\(/.test(plain)) {
    for (const found of plain.matchAll(/[[【]([^[\]【】\n]{2,24})[\]】]|^\(([^()\n]{2,24})\)/g))
      phrases.push(placeOf(found, found[1] === undefined ? 2 : 1))
  }
  for (const mark of marks) {
    const tail = mark.kind === 'code' ? TARGET.exec(plain.slice(mark.end, mark.end + 90)) : null
    if (tail === null) continue
    const end = mark.end + tail[0].length
    phrases.push({ start: end - (tail[1]?.length ?? 0), end })
  }
  return phrases.slice(0, MAX_PHRASES)
}

/** Returns true if the code is for another firm than the `brands`: “Your Facebook login code for Acme”. */
export function isMeantForOther(text: MessageText, brands: readonly Brand[]): boolean {
  const { plain, folded, marks } = text
  if (!CAPITAL_BEHIND.test(plain)) return false
  return [...plain.matchAll(FOR_WHOM)].slice(0, MAX_PHRASES).some((found) => {
    const code = marks.findLast(({ kind, end }) => (kind === 'code' || kind === 'auth') && end <= found.index)
    const whom = placeOf(found, 1)
    // “Your Amazon code for Audible” serves Amazon's own product.
    const isOwn = brands.some(({ services }) => endOfProduct(folded, services, whom.start - 1) >= whom.end)
    return (
      !isOwn &&
      code !== undefined &&
      FEW_WORDS.test(plain.slice(code.end, found.index)) &&
      isForeign(text, whom, brands)
    )
  })
}

/** A quick check, which saves the slower pattern FOR_WHOM for most texts. */
const CAPITAL_BEHIND = /[a-zа-яü] (?:\p{Lu}|\p{Ll}\p{Lu})/u
const FEW_WORDS = /^:?(?: [\p{L}\d'-]{1,16}){0,6}$/u

/** Finds the name of a firm at the beginning of a text: “Acme: …”. */
function headsOf({ plain }: MessageText): Place[] {
  const head = HEAD.exec(plain)
  return head === null ? [] : [placeOf(head, 1)]
}

const HEAD = /^\s{0,9}(?:<#>|\[#\]|\[Web발신\]|\[국외발신\])?\s{0,9}([^\n:.,!?]{2,40}?)(?:\s?[:\n]\s?(?!\/\/)|\s-\s)/u

/** Finds the name of a firm alone at the end of a text: “… Acme Bank” or “- Acme”. */
function tailsOf({ plain }: MessageText): Place[] {
  const tail = TAIL.exec(plain.slice(-MAX_NAME))
  if (tail === null || COURTESY.test(tail[1] ?? '')) return []
  return [{ start: plain.length - (tail[1]?.length ?? 0), end: plain.length }]
}

const TAIL = /(?:[.!?\d] -? ?|\n| - )(\p{Lu}[\p{L}\d&-]{1,20}(?: \p{Lu}[\p{L}\d&-]{1,20}){0,2})$/u
const COURTESY =
  /^(?:Thank|Enjoy|Regards|Kind|Best|Cheers|Have|Welcome|Reply|Gracias|Saludos|Atentamente|Merci|Cordialement|Danke|Viele|Mit|Liebe|Herzlich|Obrigad|Grazie|Cordiali|Pozdrawia|Dziękuj|Teşekkür|Saygı|Terima|Спасибо|С|Дякуємо|З)(?!\p{Lu})/u

/** Finds the name of a firm within “Your Acme code”, or before “Acme code for …” at the beginning. */
function yoursOf(text: MessageText): Place[] {
  const { plain, folded, marks } = text
  const first = FRONT.exec(plain.slice(0, MAX_NAME))?.[0].length ?? 0
  const isFront = first > 0 && marks.some(({ kind, start }) => kind === 'code' && start === first)
  const front = isFront ? [{ start: 0, end: first }] : []
  const words = marks.filter(({ kind }) => kind === 'code' || kind === 'secret')
  const yours = words.flatMap((word, at) => {
    const first = Math.max(words[at - 1]?.end ?? 0, word.start - MAX_NAME - MAX_YOUR)
    return [...folded.slice(first, word.start).matchAll(YOUR)].flatMap((found) => {
      const from = first + found.index + found[0].length
      const isNear = word.start - from <= MAX_NAME && word.start < sentenceAt(text, from)[1]
      return isNear ? [{ start: from, end: word.start }] : []
    })
  })
  return [...front, ...yours]
}

/** Returns true if a name that contains no known brand signs the text: “Acme: …” or “your Acme code”. */
export function isGivenByOther(text: MessageText, brands: readonly Place[]): boolean {
  if (isSignedByOther(text, brands) || hasHeadWithoutCase(text, brands)) return true
  return [...headsOf(text), ...yoursOf(text), ...tailsOf(text)].some(
    (phrase) =>
      !brands.some(({ start, end }) => start < phrase.end && end > phrase.start) && isForeign(text, phrase, brands),
  )
}

/** Returns true for a signature that is a lower-case word (“trivago: …”) or in a script without capitals (“こみせ：…”). */
function hasHeadWithoutCase(text: MessageText, brands: readonly Place[]): boolean {
  const [head] = headsOf(text)
  if (head === undefined || !/^\s?:/.test(text.plain.slice(head.end, head.end + 2))) return false
  const covers = ({ start, end }: Place) => start < head.end && end > head.start
  const name = text.plain.slice(head.start, head.end)
  const isName = (WITHOUT_CASE.test(name) || IN_LOWER_CASE.test(name)) && !CALLS.test(name) && !ORDINARY.has(name)
  return isName && !brands.some(covers) && !text.allMarks.some(covers)
}

const WITHOUT_CASE = /^[\p{Lo}\p{M}ー]{2,16}(?: [\p{Lo}\p{M}]{2,16}){0,2}$/u
const IN_LOWER_CASE = /^(?=.{0,19}\p{Ll})[\p{Ll}\d][\p{Ll}\d.-]{1,19}$/u
/** Words at the beginning of a text that address the reader or name the subject, so they are no signature of a firm. */
const CALLS =
  /提示|通知|提醒|用户|用戶|客户|客戶|注意|重要|お客様|お知らせ|案内|안내|알림|고객|회원|عزيزي|مرحب|تنبيه|هام|گرامی|توجه|שלום|לקוח|เรียน|สวัสดี|แจ้ง|प्रिय|नमस्ते|প্রিয়/
const CALLS_ALONE = new RegExp(`^.{0,2}(?:${CALLS.source})$`)

/** Returns true if an unlisted firm signs in brackets at the beginning or the end: “【Acme】您的验证码…，也可使用微信登录”. */
export function isSignedByOther(text: MessageText, brands: readonly Place[]): boolean {
  const { plain } = text
  const signatures = [/^\s{0,9}[[【]([^[\]【】\n]{2,24})[\]】]/.exec(plain), CLOSING.exec(plain.slice(-28))]
  return signatures.some((found, at) => {
    if (found === null) return false
    const { start, end } = placeOf(found, 1)
    const offset = at === 0 ? 0 : Math.max(0, plain.length - 28)
    return isForeign(text, { start: start + offset, end: end + offset }, brands)
  })
}

/** Matches a signature at the end of a text: `[Acme]`, or `(こみせ)` in scripts without capitals. */
const CLOSING =
  /[[【(]((?<!\()[^[\]【】\n]{2,24}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]{2,12})[\]】)]$/u

/** Returns true for “(DMarket) Your Steam code …” or “… - Rydoo”, a form in which only givers of codes sign. */
export function isSignedAside(text: MessageText, brands: readonly Place[]): boolean {
  const { plain } = text
  const first = /^\s{0,9}\(([^()\n]{2,24})\) ?(?=\p{L})/u.exec(plain)
  if (first !== null && isForeign(text, placeOf(first, 1), brands)) return true
  const last = ONE_WORD.exec(plain.slice(-MAX_NAME))
  if (last === null || COURTESY.test(last[1] ?? '')) return false
  const offset = Math.max(0, plain.length - MAX_NAME)
  const { start, end } = placeOf(last, 1)
  return isForeign(text, { start: start + offset, end: end + offset }, brands)
}

/** Owners of brands sign in a similar form, but without a space or with several words: “-Eternal”, “- Match Group”. */
const ONE_WORD = /[.!\n] ?-{1,2} (\p{Lu}[\p{L}\d&-]{1,20})\.?$/u

function placeOf(found: RegExpExecArray | RegExpMatchArray, group: number): Place {
  const start = (found.index ?? 0) + found[0].indexOf(found[group] ?? '')
  return { start, end: start + (found[group]?.length ?? 0) }
}

const MAX_YOUR = 9
const FRONT = /^\p{Lu}[\p{L}\d&-]{3,20} /u
const YOUR = /(?<!\p{L})(?:your|ваш|votre|tu|su|seu|il tuo|twój|váš|uw|je)\s/gu
/** Matches the phrase that names the target of a code, in languages whose common nouns have no capital. */
const TARGET =
  /^:?(?: (?:\p{Ll}{1,16}|[\d-]{3,9})){0,5}? (?:for|to|into|on|at|для|в|на|от|pour|sur|para|en|no|na|per|su|untuk|di|dla|do|w|pro|u|за|voor) (\p{Ll}?\p{Lu}[\p{L}\d.-]{1,24})(?![\p{L}\d])/u

const FOR_WHOM =
  / (?:for|at|для|pour|chez|para|per|presso|untuk|dla|do|pro|za|für|bei|voor|till|til) (?!(?:iPhone|iPad|iOS|Android|Windows|Mac|Chrome|Messenger|PC|TV|Fire|Kindle)(?!\p{L}))(\p{Ll}?\p{Lu}[\p{L}\d.-]{1,24})(?![\p{L}\d])/gu

/**
 * Returns true if `phrase` has a capitalised word that is neither part of a known brand nor a listed word. In brackets,
 * a word without a capital counts too.
 */
function isForeign({ plain, folded, allMarks: marks }: MessageText, phrase: Place, brands: readonly Place[]): boolean {
  const inBrackets = /[[【(]/.test(plain.charAt(phrase.start - 1))
  for (const { 0: word, index } of plain.slice(phrase.start, phrase.end).matchAll(/[\p{L}\d][\p{L}\p{M}\d'-]*/gu)) {
    const start = phrase.start + index
    const end = start + word.length
    const covers = ({ start: from, end: to }: Mark | Place) => from < end && to > start
    const isListed = marks.some((mark) => covers(mark) && !(inBrackets && TRADES.includes(mark.kind)))
    if (/^\d+$/.test(word) || brands.some(covers) || isListed) continue
    if (ORDINARY.has(folded.slice(start, end)) || (inBrackets && CALLS_ALONE.test(word))) continue
    if (inBrackets ? word.length > 1 : /^\p{Ll}?\p{Lu}/u.test(word)) return true
  }
  return false
}

/** The kinds of words that in brackets are parts of a firm's name: “【美团外卖】”, “【楽天カード】”. */
const TRADES: readonly Mark['kind'][] = ['errand', 'card', 'pay', 'coupon', 'advert', 'money']

const ORDINARY: ReadonlySet<string> = new Set(
  `hi hello dear hey customer user client member attention warning important notice message info new sms your you the this
  please use secret private personal temporary unique dynamic single number alert reminder urgent hello there service
  sir madam friend team support welcome ref id for is login verification one time здравствуйте привет добрый день внимание
  важно уважаемый уважаемая клиент пользователь ваш ваша вам сообщение никому не секретный персональный временный
  hallo guten tag achtung wichtig lieber kunde kundin ihr ihre dein deine bonjour attention important cher client votre
  hola estimado estimada cliente atención aviso importante tu su olá prezado caro atenção seu sua ciao gentile attenzione
  tuo suo witaj uwaga twój twoja klient dobrý den vážený pozor váš vaše kedves ügyfelünk figyelem bună stimate atenție
  poštovani zdravo uvaženi merhaba sayın dikkat değerli müşterimiz salam hörmətli diqqət hurmatli mijoz diqqat құрметті
  hei hej kära kære kjære hyvä asiakas tere lugupeetud klient labas gerbiamas sveiki cienījamais klients geachte beste
  klant halo yth pelanggan perhatian jangan kepada xin chào kính gửi quý khách web발신 국외발신 국제발신 발신 本人 用户 尊敬的用户
  お客様 お知らせ notification`.split(/\s+/),
)
