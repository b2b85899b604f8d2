import type { Locale } from '#contract/constants.ts'

export type Words = Readonly<Record<Locale, string>>

export const SECRET = {
  ru: 'с этим можно войти или выдать себя за вас',
  en: 'whoever has it can sign in, or forge what it proves',
}
export const REPEATS = { ru: 'узнаёт повторное нажатие', en: 'recognises a press that is repeated' }
export const COSTS = {
  ru: 'сколько сервис платит поставщикам и у кого покупает',
  en: 'what the service pays its suppliers, and by whom it buys',
}
export const INNER = {
  ru: 'когда и как программа обрабатывает запись',
  en: 'when and how the program works on the row',
}
export const READING = { ru: 'как программа прочла сообщение', en: 'how the program read the message' }
export const GATEWAY = { ru: 'через кого сервис принимает платежи', en: 'whom the service takes payments by' }
export const RATE = { ru: 'по какому курсу считал сервис', en: 'at which rate the service counted' }
export const FOREIGN = { ru: 'это о другом человеке', en: 'about somebody else' }
export const STAFF = { ru: 'это о сотруднике сервиса', en: 'about somebody else, who works here' }
export const NOT_ERASED = { ru: 'пусто, пока аккаунт есть', en: 'empty as long as there is an account' }
export const PLAY = {
  ru: 'тестовые деньги и вымышленные номера тестовых ключей: о вас там только сами ключи и их вызовы',
  en: 'play money and made-up numbers of keys with it: what is about you there are the keys and their calls',
}
export const THE_PERSON = { ru: 'вы сами', en: 'the person of this file' }
export const STAFF_REASON = {
  ru: 'пометки сотрудников, в которых могут быть другие люди',
  en: 'notes of staff, which may name others',
}
export const PAYER = { ru: 'сравнивает плательщиков и никого не называет', en: 'compares payers, and names nobody' }
export const SPENT_CODE = { ru: 'код, который уже использован', en: 'a code that is spent' }
export const BATCH = { ru: 'как сотрудники назвали то, что раздают', en: 'names of staff for what they give out' }
export const PUSH_ADDRESS = {
  ru: 'с этим можно слать уведомления в ваш браузер',
  en: 'whoever has it can push to the browser',
}
export const FILE_BYTES = {
  ru: 'до 20 МБ на обращение; сами файлы открываются в обращении на сайте',
  en: 'up to 20 MB a ticket; the ticket on the site gives each file',
}
