import type { Locale } from '#contract/constants.ts'

export type Words = Readonly<Record<Locale, string>>

export const SECRET = {
  ru: 'с этими данными можно войти или выдать себя за вас',
  en: 'anyone who has this data could log in or act as you',
}
export const REPEATS = {
  ru: 'по этим данным мы узнаём повторный запрос',
  en: 'we use this data to recognise a repeated request',
}
export const COSTS = {
  ru: 'сколько мы платим поставщикам и у кого покупаем',
  en: 'what we pay our suppliers, and which suppliers we buy from',
}
export const INNER = {
  ru: 'когда и как программа обработала запись',
  en: 'when and how our software processes the record',
}
export const READING = { ru: 'как программа разобрала сообщение', en: 'how our software read the message' }
export const GATEWAY = { ru: 'через кого мы принимаем платежи', en: 'which payment service we use' }
export const RATE = { ru: 'курс, по которому мы считали', en: 'the exchange rate that we used' }
export const FOREIGN = { ru: 'это о другом человеке', en: 'this is about another person' }
export const STAFF = { ru: 'это о нашем сотруднике', en: 'this is about a member of our staff' }
export const NOT_ERASED = {
  ru: 'пока аккаунт существует, здесь пусто',
  en: 'always empty while your account exists',
}
export const PLAY = {
  ru: 'тестовые деньги и вымышленные номера; к вам относятся только тестовые ключи и их вызовы',
  en: 'play money with simulated numbers; only the keys and their calls are about you',
}
export const THE_PERSON = { ru: 'это вы', en: 'this is you' }
export const STAFF_REASON = {
  ru: 'пометки сотрудников, где могут упоминаться другие люди',
  en: 'notes by our staff, which may name other people',
}
export const PAYER = {
  ru: 'по этим данным мы сравниваем плательщиков; имён в них нет',
  en: 'we use this data to compare payers; it contains no names',
}
export const SPENT_CODE = { ru: 'уже использованный код ваучера', en: 'a voucher code that has already been used' }
export const BATCH = {
  ru: 'названия, которые наши сотрудники дали группам ваучеров',
  en: 'names that our staff gave to groups of vouchers',
}
export const PUSH_ADDRESS = {
  ru: 'с этими данными можно отправлять уведомления в ваш браузер',
  en: 'anyone who has this data could send notifications to your browser',
}
export const FILE_BYTES = {
  ru: 'до 20 МБ на обращение; сами файлы открываются в обращении на сайте',
  en: 'up to 20 MB per ticket; you can open each file in its ticket on the site',
}
