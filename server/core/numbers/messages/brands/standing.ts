import { type MessageText, sentenceAt } from '../codes/message-text.ts'
import type { Mark } from '../words/lexicon.ts'

/**
 * The role of a brand's name in a text. `signed`: “Signal: …”; `owner`: “your Signal code”; `target`: “code for
 * Signal”; `leads`: “follow us on Signal”, or a part of a longer name; `plain`: none of these.
 */
export type Standing = 'signed' | 'owner' | 'target' | 'plain' | 'leads'

export type Place = { start: number; end: number }

/** The number of characters beside a brand that are searched, which covers all listed phrases and bounds the work. */
const BEFORE_LENGTH = 72
const AFTER_LENGTH = 48
/** The number of characters before a brand in which a phrase that ends at the brand is searched. */
const NEAR_LENGTH = 40

export function standingOf(text: MessageText, place: Place): Standing {
  const { folded, whole } = text
  const before = folded.slice(Math.max(0, place.start - BEFORE_LENGTH), place.start)
  const after = folded.slice(place.end, place.end + AFTER_LENGTH)
  const near = before.slice(-NEAR_LENGTH)
  if (OUR_WARNING.test(near) || holdsCodeWord(text, place)) return 'owner'
  if (isPartOfName(text, place) || (near.endsWith(' ') && EVEN.test(near.slice(-MAX_EVEN)))) return 'leads'
  if (isLoginOffer(before, after)) return 'leads'
  if (CONTACT.test(whole.slice(place.end, place.end + AFTER_LENGTH)) || AFTER_LEADS.test(after)) return 'leads'
  if (isLedTo(text, place) || isChannel(text, place, near) || isVerb(text, place)) return 'leads'
  if (isSigned(before, after, place)) return 'signed'
  if (isOwner(text, place, after)) return 'owner'
  // A reseller's code activates a product that the reseller sells, so the brand itself gives no code.
  if (near.endsWith(' ') && BUNDLED.test(near)) return 'plain'
  if ((isTarget(text, place, before) && !goesOn(text, place)) || /^[でに] ?入力/.test(after)) return 'target'
  return ASIDE.test(near) ? 'leads' : 'plain'
}

/** Returns true if a shop offers to sign in by another firm's account: “也可使用微信登录”, “Googleでログイン”, “카카오로 로그인”. */
function isLoginOffer(before: string, after: string): boolean {
  return (SIGNS_IN.test(after) && LOGIN_OFFER.test(before)) || OFFERED_LOGIN.test(after)
}

const LOGIN_OFFER =
  /(?:可(?:以|选择|選擇)?(?:使用|用|通过|通過|以)?|支持(?:使用|用)?|支援(?:使用)?|推荐(?:使用|用)?|推薦(?:使用)?|建议(?:使用)?|或者?(?:使用|用|通过)) ?$/u
const SIGNS_IN = /^ ?(?:账号|账户|帐号|帳號|扫码|一键|快捷|授权){0,2}(?:登录|登陆|登錄|登入|注册|註冊)/u
const OFFERED_LOGIN =
  /^ ?(?:アカウント)?(?:でも?|での) ?(?:ログイン|サインイン|登録)|^ ?(?:アカウント)?(?:ログイン|サインイン|連携)(?:も|でき|可|対応)|^ ?(?:계정)?(?:으)?로도? ?(?:간편 ?)?(?:로그인|가입|시작|인증)|^ ?(?:로그인|가입)(?:도|이? ?가능)|^ ?(?:アカウント|公式|id)? ?(?:連携|紐付)|^ ?(?:계정|아이디)? ?(?:연동|연결)/u

const BUNDLED =
  /(?<!\p{L})(?:activate|link|claim|redeem|subscribe to|aktivieren|activar|ativar|activer|attivare|подключения|подключить|активации подписки) (?:your |the |tu |su |seu |votre |ihr |dein )?$/u

/** Returns true if the brand is part of a phrase in the lexicon such as “X verification code”. */
function holdsCodeWord({ marks }: MessageText, place: Place): boolean {
  return marks.some(({ kind, start, end }) => kind === 'code' && start >= place.start && end <= place.end)
}

/** Returns true if a brand X stands in “Your X code”, where X can only be the sender. */
export function isYours({ folded }: MessageText, { start }: Place): boolean {
  return YOUR.test(folded.slice(Math.max(0, start - 24), start))
}

const YOUR =
  /(?<!\p{L})(?:your|ваш[а-я]{0,3}|тво[а-я]{1,3}|votre|ton|tu|su|seu|sua|tuo|il tuo|suo|dein[a-z]{0,2}|ihr[a-z]{0,2}|tw[oó]j|váš|tvůj|váš|az?|vaš|uw|je|jouw|din|ditt|anda)\s["'«“]?$/u

/** Returns true for a brand that begins the text with a colon or dash, fills brackets, or ends the text alone. */
function isSigned(before: string, after: string, { start }: Place): boolean {
  const opened = /[[【(「『]\s?$/.test(before) && /^\s?[\]】)」』]/.test(after)
  if (opened && /[[【「『]\s?$/.test(before)) return true
  if (/[.!?\n]\s{0,3}[-~]{0,2}\s?$/.test(before) && /^[\s.!)]{0,3}$/.test(after)) return true
  if (start > BEFORE_LENGTH || !LEAD.test(before)) return false
  return opened || /from: $/.test(before) || /^\s?(?:[:|>-]|\n)/.test(after)
}

/**
 * Returns true if the brand stands at the very beginning of the text. In texts about payments only such a signature
 * counts.
 */
export function isSignedFirst(text: MessageText, place: Place): boolean {
  return LEAD.test(text.folded.slice(0, place.start).slice(-BEFORE_LENGTH)) && place.start <= BEFORE_LENGTH
}

/** Matches what may precede the first word of a text: tags of apps (`<#>`), tags of carriers, `From:`. */
const LEAD = /^\s{0,9}(?:(?:<#>|\[#\]|\[web발신\]|\[국외발신\]|\[국제발신\]|from:)\s{0,9}){0,3}["'«“([【]?$/

function isOwner({ folded, marks }: MessageText, { end }: Place, after: string): boolean {
  if (NEVER_ASKS.test(after)) return true
  const from = end + (OF_ACCOUNT.exec(after)?.[0].length ?? 0)
  return marks.some(({ kind, start }) => {
    if (kind !== 'code' && kind !== 'secret' && kind !== 'auth') return false
    // In scripts without spaces a few letters may stand between the brand and the word for a code.
    return start === from || (start > end && start - end <= 9 && JOINED.test(folded.slice(end, start)))
  })
}

/** Matches words that may stand between a brand and the word for the brand's own code. */
export const OF_ACCOUNT =
  /^(?:'s)?["'»“”]?[\])】]?[ -]{0,2}(?:(?:account|app|id|user|profile|аккаунт[а-я]{0,2}|hesab[a-zı]{0,3}|konto|compte|cuenta|conta|akun|アカウント|账户|帐号|账号|帳號|계정)(?![a-zа-я])[ -]{0,2}){0,2}/

const JOINED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul} ]{1,9}$/u

/** Matches a warning that the firm never asks for the code. Only the giver of a code warns in this way. */
const NEVER_ASKS =
  /^(?: (?:support|employees?|team|staff|сотрудники|поддержка))? (?:will never|never|won't|никогда|не запрашива|не спрашива|wird (?:sie |dich )?(?:nie|niemals)|nunca|non (?:ti )?chieder|ne vous|nigdy|nikdy|soha|asla|hech qachon|ніколи)/
const OUR_WARNING =
  /(?:(?:say|claim)[a-z' ]{0,20}(?:from|be)|including|not even|termasuk(?: tim| pihak| driver| kurir)?|от имени|из службы|im namen von|au nom de|en nombre de|em nome d[ae])\s$/

const MAX_EVEN = 20
/** Matches “even” before a brand. Any sender may write “Tell it to nobody, even WhatsApp”. */
const EVEN =
  /(?<!\p{L})(?:even|auch nicht|nicht einmal|même|ni siquiera|ni|nem|nemmeno|neppure|даже|навіть|nawet|ani)(?: (?:to|an|à|a|al|ao|w|в|у|з|через|via|mit|com|con|with|on|по))? $/u

/** Returns true if a verb that leads elsewhere (“follow us on …”) precedes the brand in the same sentence. */
function isLedTo(text: MessageText, { start }: Place): boolean {
  const [from] = sentenceAt(text, start)
  const leads = text.marks.filter((mark) => mark.kind === 'lead' && mark.start >= from && mark.end <= start)
  const last = leads.at(-1)
  if (last === undefined || start - last.end > LEAD_REACH) return false
  return !text.marks.some(
    ({ kind, start: at, end }) => (kind === 'code' || kind === 'secret') && at >= last.end && end <= start,
  )
}

const LEAD_REACH = 48

/** Returns true if the brand is a code's channel: “We also sent a code to your Telegram”, “Reply on WhatsApp”. */
function isChannel(text: MessageText, { start, end }: Place, said: string): boolean {
  if (SENT_TO.test(said)) return true
  if (!text.marks.some(({ kind }) => kind === 'send') || !WAY.test(said)) return false
  const [from, to] = sentenceAt(text, start)
  const within = text.marks.filter((mark) => mark.start >= from && mark.end <= to)
  const sent = within.findLast((mark) => mark.kind === 'send' && mark.start <= end + SENT_BEHIND)
  if (sent === undefined || start - sent.end > LEAD_REACH) return false
  const before = within.filter((mark) => mark.end <= start)
  return !before.some((mark) => mark.kind === 'use' || (mark.kind === 'auth' && mark.start >= sent.end))
}

/** Returns true if a brand's name is used as a verb: “WhatsApp us code 1234”, but not `Amazon US`. */
function isVerb({ plain }: MessageText, { end }: Place): boolean {
  return /^ us(?!\p{L})/u.test(plain.slice(end, end + 4))
}

/** Matches a contact after a brand: `Telegram: @shop`, `WhatsApp: +44 …`, `ВКонтакте: vk.com/shop`. */
const CONTACT =
  /^\s?[:>-]?\s?(?:@[a-z]|\+?\d[\d() -]{7,14}\d|(?:https?:|www\.)|(?:t\.me|wa\.me|vk\.com|ig\.me|fb\.com)\/(?!login)[a-z])/
const AFTER_LEADS =
  /^["'»”]?[ -]{0,2}(?:authenticator|support:|channel|group|bot|(?:support |help )?chat|page|store|shop|vpn|banking|bankacılık|bankowoś|bankovnictv|notification|alert|update|casino|exchange|банкинг|уведомлен|сповіщен|benachrichtigung|notificac|notificaç|notifiche|powiadomie|bildirim|المصرفي|बैंकिंग|小程序|公众|服务号|银行|通知|알림|뱅킹|канал|групп|бот|чат|страниц|магазин|паблик|kanal|kanał|canal|canale|gruppe|grupo|groupe|gruppo|grup|skupin|csatorna|قناة|قناتنا|کانال|ערוץ|चैनल|पेज|পেজ|গ্রুপ|频道|群|公众号|公式|チャンネル|店|채널|(?:고객 ?)?상담|고객센터|문의|orqali|üzerinden|ile (?!giriş)|арқылы|аркылуу|vasitəsilə|kautta|kaudu|पर |से |で(?! ?入力)|から|에서|으로|를 통해)|^'?(?:da|de|ta|te|dan|den|-ban|-ben|-en|-on)(?!\p{L})/u

/**
 * Returns true if words like “code for signing in to your account at” lead up to the brand. Goes back from the brand
 * over such words until it finds a word for a code, or the code itself.
 */
function isTarget({ allMarks: marks }: MessageText, { start }: Place, before: string): boolean {
  if (ENTER_IT.test(before)) return true
  let at = start
  const offset = start - before.length
  for (let words = 0; words < 8; words += 1) {
    const gap = /["'«“([]?(?:[ :]{1,2}|')?$/.exec(before.slice(0, at - offset))?.[0].length ?? 0
    const end = at - gap
    if (/(?<![\p{L}\d])[\d][\d -]{2,8}[\d][)\]]?$/u.test(before.slice(0, end - offset))) return words > 0 || gap > 0
    const word = markEnding(marks, end)
    if (word === undefined) return false
    if (word.kind === 'code' || word.kind === 'secret') return true
    at = word.start
  }
  return false
}

/** Returns true if an unknown noun follows the brand, so the code is another firm's: “your Signal wallet code”. */
function goesOn({ folded, marks, allMarks }: MessageText, { end }: Place): boolean {
  if (!/^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}][ -]\p{L}/u.test(folded.slice(end - 1, end + 2))) return false
  const code = marks.find(({ kind, start }) => (kind === 'code' || kind === 'secret') && start > end)
  const gap = code === undefined ? '' : folded.slice(end, Math.min(code.start, end + AFTER_LENGTH))
  const isPhrase = code !== undefined && end + gap.length === code.start && !/[.!?:,;\n\d]/.test(gap)
  const phrase = isPhrase ? (gap.split(PREPOSITION, 1)[0] ?? '') : ''
  const words = phrase === '' ? [...folded.slice(end, end + 24).matchAll(FIRST_WORD)] : [...phrase.matchAll(WORD)]
  return words.some(({ 0: word, index }) => {
    const at = end + index + word.length - 1
    return !VERBS.has(word.trim()) && !allMarks.some((mark) => mark.start <= at && mark.end > at)
  })
}

/** Matches a preposition, which begins a phrase that has nothing to do with the brand before it. */
const PREPOSITION =
  / (?:for|to|on|in|at|with|для|на|в|по|от|к|із|з|für|zu[mr]?|auf|mit|pour|à|sur|para|en|con|com|de|do|da|per|di|na|w|untuk|için) /
const FIRST_WORD = /^[ -]([\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{4,20})(?![\p{L}\d])/gu
const WORD = /(?<!\p{L})[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{4,20}(?!\p{L})/gu
const VERBS: ReadonlySet<string> = new Set(
  'have will must should does with that which until before after within este adalah ialah lautet jest είναι'.split(' '),
)

function markEnding(marks: readonly Mark[], at: number): Mark | undefined {
  const ending = marks.filter(({ end, kind }) => end === at && PHRASE.includes(kind))
  return ending.find(({ kind }) => kind === 'code' || kind === 'secret') ?? ending[0]
}

const PHRASE: readonly Mark['kind'][] = ['code', 'secret', 'auth', 'link', 'use']

const ENTER_IT = /enter (?:it|this|the code|this code) (?:in|into|on) $/

/** Matches a preposition or conjunction before a brand, which mentions the brand only in passing. */
const ASIDE =
  /(?<!\p{L})(?:in|on|via|through|at|to|by|with|or|our|using|from|в|во|на|через|по|или|у|и|к|с|із|через|або|en|em|par|sur|bei|di|pada|auf|über|mit|por|con|com|tramite|przez|w|z|přes|cez|în|pe|prin|preko|през|στο|μέσω|and|und|et|y|e|oder|ou|o|lub|nebo|vagy|sau|ili|i|til|på|hos|till|op|bij|qua|trên|lewat|melalui|عبر|على|في|در|از|ב|בـ)\s?["'«“]?$/u

/** Like ASIDE, matches a preposition before a brand, but possessives and articles may follow: “on our …”. */
const WAY =
  /(?<!\p{L})(?:in|on|via|through|to|by|over|using|from|в|во|на|через|по|у|із|en|em|par|sur|bei|di|pada|auf|über|per|por|pelo|pela|no|na|ke|con|com|tramite|przez|w|přes|cez|în|pe|prin|preko|putem|su|στο|μέσω|till|på|til|op|bij|trên|lewat|melalui|عبر|على|در|از|para o) (?:your |the |our |my |ваш |вашем |tu |su |seu |votre |ihr |ihrem |dein |deinem |twój )?["'«“]?$/u

const SENT_TO =
  /(?:发送?到|發送?到|传送?到|傳送?到|发送?至|發送?至|回复到) ?(?:您的|你的)?$|(?:รับ|ส่ง)รหัส(?:ผ่าน|ทาง)+ ?$/
/** The maximum distance, in characters, of a verb behind the brand, as in German “Per WhatsApp gesendet”. */
const SENT_BEHIND = 4

/** Returns true if a capitalised neighbour makes the brand a part of another name: `VPN Telegram`, `Google Alps`. */
function isPartOfName(text: MessageText, { start, end }: Place): boolean {
  const { plain, folded, allMarks: marks } = text
  if (isFirstOfName(text, { start, end })) return true
  const previous = /(?:^|[\s([【])([\p{Lu}][\p{L}\d]{1,20}) $/u.exec(plain.slice(Math.max(0, start - 24), start))?.[1]
  if (previous === undefined) return false
  const at = start - 1 - previous.length
  const isKnown = marks.some((mark) => mark.start <= at && mark.end > at)
  return !isKnown && !OWN_WORDS.test(previous.toLowerCase()) && !/[.!?]\s$/.test(folded.slice(0, at).slice(-2))
    ? !GREETING.test(previous.toLowerCase())
    : false
}

/**
 * Returns true if a capitalised name after the brand continues the brand's name. Returns false for a brand in a script
 * without capitals.
 */
function isFirstOfName({ plain, allMarks }: MessageText, { start, end }: Place): boolean {
  if (!NEXT_NAME.test(plain.slice(end, end + 4))) return false
  const written = plain.slice(start, end)
  if (written.toUpperCase() === written.toLowerCase()) return false
  let at = end
  for (let words = 0; words < MAX_NAMES; words += 1) {
    const next = NEXT_NAME.exec(plain.slice(at, at + 24))?.[1]
    if (next === undefined || !/\p{L}/u.test(next)) return false
    // In a text of capitals only, a name cannot be told from another word.
    if (written === written.toUpperCase() && next === next.toUpperCase()) return false
    const first = at + 1
    const kinds = allMarks.filter((mark) => mark.start <= first && mark.end > first).map(({ kind }) => kind)
    if (kinds.includes('code') || kinds.includes('secret')) return false
    if (!kinds.some((kind) => FIELD.has(kind)) && !OWN_WORDS.test(next.toLowerCase())) return true
    at = first + next.length
  }
  return false
}

const MAX_NAMES = 3
const NEXT_NAME = /^[ -]([\p{Lu}\d][\p{L}\d]{1,20})/u
/**
 * The kinds of listed words that may continue a sentence after a brand. Words of other kinds continue a name, as in
 * “Telegram Casino” and “Grab Points”.
 */
const FIELD: ReadonlySet<string> = new Set(['auth', 'link', 'use', 'send', 'tap', 'alert', 'call', 'other', 'account'])

const OWN_WORDS =
  /^(?:app|account|recovery|team|inc|id|support|user|your|is|sms|sicherheit|codes?|pin|otp|group|code|konto|the|dein|ihr|votre|code|ваш|no|do|don|please|never|valid|use|tap|enter|если|никому|не|введите|this|it|if|a|le|la|el|il|je|du|sie|para|kode|kod)$/
const GREETING =
  /^(?:hi|hello|hey|dear|welcome|ваш|ваша|your|the|from|to|for|is|здравствуйте|привет|hallo|hola|ciao|bonjour|olá)$/
