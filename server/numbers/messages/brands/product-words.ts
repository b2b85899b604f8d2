/**
 * Words with which firms name their own products and customers: “your Google Cloud code” is Google's. Another word with a
 * capital makes it somebody else's name.
 */
const PRODUCTS =
  'for business|for work|for artists|for creators|для бизнеса|api|cloud|ads?|business|sellers?|merchants?|partners?|developers?|dev|console|studio|workspace|play|pay|household|azure|office|teams|365|community|wallet|pro|plus|prime|premium|music|video|tv|live|shop|hosts?|drivers?|freight|connect|health|fleet|market|marketplace|earn|exchange|recruiter|learning|navigator|lite|web|desktop|one|photos|fi|maps|family|kids|nitro|platform|enterprise|manager|center|centre|portal|direct|creators?|central|out|бизнес|директ|маркет|метрика|работа|про|драйв|плюс|реклама|партн[её]ры|селлер|путешествия'

const PRODUCT = new RegExp(`^(?:${PRODUCTS})$`)

export function isProductWord(word: string): boolean {
  return PRODUCT.test(word)
}

/** Between a brand and the word for a code that is its own. */
export const OF_ACCOUNT = new RegExp(
  `^(?:'s)?["'»“”]?[\\])】]?[ -]{0,2}(?:(?:account|app|id|user|profile|mobile|driver|guard|messenger|аккаунт[а-я]{0,2}|hesab[a-zı]{0,3}|konto|compte|cuenta|conta|akun|アカウント|账户|帐号|账号|帳號|계정|${PRODUCTS})(?![a-zа-я])[ -]{0,2}){0,2}`,
)
