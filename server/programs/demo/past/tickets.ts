import type { Locale } from '#contract/constants.ts'
import type { SupportCategory } from '#contract/support/support-constants.ts'

/** A line of a ticket, written so many minutes before the first start. `staff` is the answer, `note` what staff alone see. */
type Line = { by: 'member' | 'staff' | 'note'; agoMinutes: number; text: string }

export type PastTicket = {
  /** The demo's buyer, or the place of another person. */
  of: 'buyer' | number
  category: SupportCategory
  subject: string
  about: 'code' | 'no-code' | 'payment' | null
  isClosed?: true
  /** The unread answers that the member has not seen. */
  isUnread?: true
  isTaken?: true
  lines: readonly Line[]
}

const DAY = 24 * 60

export const pastTickets: readonly PastTicket[] = [
  {
    of: 'buyer',
    category: 'payment',
    subject: 'Оплатил картой, деньги пришли не сразу',
    about: 'payment',
    isClosed: true,
    lines: [
      {
        by: 'member',
        agoMinutes: 37 * DAY,
        text: 'Оплатил картой десять минут назад, банк списал, а на балансе пусто. Ждать или пробовать ещё раз?',
      },
      {
        by: 'staff',
        agoMinutes: 37 * DAY - 14,
        text: 'Здравствуйте! Банк подтвердил платёж с задержкой, деньги уже на балансе. Повторять не нужно: незавершённые платежи закрываются сами.',
      },
      { by: 'member', agoMinutes: 37 * DAY - 21, text: 'Вижу, спасибо.' },
    ],
  },
  {
    of: 'buyer',
    category: 'number',
    subject: 'Второй код на тот же номер',
    about: 'code',
    isUnread: true,
    lines: [
      {
        by: 'member',
        agoMinutes: 3 * DAY + 95,
        text: 'Сервис попросил подтвердить вход ещё раз, а номер уже закрыт. Можно получить второй код, не покупая новый номер?',
      },
      {
        by: 'staff',
        agoMinutes: 3 * DAY + 41,
        text: 'Здравствуйте! Да: откройте историю, найдите этот номер и нажмите «Купить ещё раз». Цена та же, номер тот же, код придёт как обычно. Пока номер открыт, второй код бесплатный: кнопка «Ещё код».',
      },
    ],
  },
  {
    of: 0,
    category: 'number',
    subject: 'Код не пришёл, время вышло',
    about: 'no-code',
    lines: [
      {
        by: 'member',
        agoMinutes: 26,
        text: 'Ждал двадцать минут, запросил код дважды, ничего не пришло. Деньги вернулись, но мне нужен этот сервис. Какого оператора взять?',
      },
    ],
  },
  {
    of: 1,
    category: 'number',
    subject: 'Service says the number is banned',
    about: 'code',
    lines: [
      {
        by: 'member',
        agoMinutes: 131,
        text: 'The code arrived in seconds, but as soon as I typed it in, the service said “this phone number is banned”. I couldn’t use the number at all.',
      },
      {
        by: 'member',
        agoMinutes: 118,
        text: 'The screenshot says: “This phone number is banned from using this service.” Please refund me.',
      },
    ],
  },
  {
    of: 2,
    category: 'payment',
    subject: 'Отправил криптовалюту, зачислили не всё',
    about: 'payment',
    lines: [
      {
        by: 'member',
        agoMinutes: 208,
        text: 'Перевёл двумя частями, потому что биржа не пустила всю сумму сразу. Первая часть на балансе, второй не вижу уже час.',
      },
    ],
  },
  {
    of: 3,
    category: 'api',
    subject: '429 on getNumber at night',
    about: null,
    lines: [
      {
        by: 'member',
        agoMinutes: 410,
        text: 'From 02:10 to 02:25 UTC, every third `getNumber` got a 429. We make about four requests a second from one address. Is the limit per key or per address?',
      },
      {
        by: 'staff',
        agoMinutes: 372,
        text: 'Hello! The limit is per address. Each 429 comes with a `Retry-After` header: wait that long and you won’t lose anything. Do you call `getStatus` in a loop? Waiting for the code with a single request takes far fewer calls.',
      },
      {
        by: 'member',
        agoMinutes: 47,
        text: 'Yes, we poll `getStatus` every second for every number. How do we wait with a single request?',
      },
    ],
  },
  {
    of: 4,
    category: 'account',
    subject: 'Не приходит письмо для смены почты',
    about: null,
    isTaken: true,
    lines: [
      {
        by: 'member',
        agoMinutes: 545,
        text: 'Меняю почту в настройках, письма на новый адрес нет ни во входящих, ни в спаме. Пробовал три раза с вечера.',
      },
      {
        by: 'note',
        agoMinutes: 480,
        text: 'Письма ушли, их сервер отвечает «mailbox full». Спросить, есть ли другой адрес.',
      },
    ],
  },
  {
    of: 5,
    category: 'number',
    subject: 'Пришёл код другого сервиса',
    about: 'code',
    lines: [
      {
        by: 'member',
        agoMinutes: 26 * 60 + 12,
        text: 'Купил номер под один сервис, а в сообщении название другого. Код, понятно, не подошёл. Верните, пожалуйста, деньги.',
      },
    ],
  },
  {
    of: 6,
    category: 'other',
    subject: 'Documents for accounting',
    about: null,
    lines: [
      {
        by: 'member',
        agoMinutes: 2 * DAY + 75,
        text: 'Our accountant needs a statement for last month with the top-ups and what was spent on numbers. The CSV is fine, but does it show the closing balance?',
      },
    ],
  },
  {
    of: 7,
    category: 'number',
    subject: 'Можно ли продлить номер ещё на час?',
    about: 'code',
    lines: [
      {
        by: 'member',
        agoMinutes: 9 * DAY,
        text: 'Номер хороший, сервис шлёт коды раз в час. Как оставить его себе подольше?',
      },
      {
        by: 'staff',
        agoMinutes: 9 * DAY - 33,
        text: 'Здравствуйте! Для этого есть аренда: от четырёх часов до двух месяцев, с продлением. Номер для неё будет другой.',
      },
    ],
  },
  {
    of: 8,
    category: 'payment',
    subject: 'Paid twice by mistake',
    about: 'payment',
    isClosed: true,
    lines: [
      {
        by: 'member',
        agoMinutes: 6 * DAY,
        text: 'I pressed pay twice and both went through. Can the second one go back to my card?',
      },
      {
        by: 'staff',
        agoMinutes: 6 * DAY - 18,
        text: 'Hello! Both are on your balance. We have sent the second payment back; your bank shows it within three to five days.',
      },
      { by: 'member', agoMinutes: 6 * DAY - 25, text: 'Thank you, that was quick.' },
    ],
  },
]

/** People whose purchases nobody makes: their names are common, and their mailboxes cannot exist. */
export const otherPeople: readonly { name: string; locale: Locale }[] = [
  ['Тимур', 'ru'],
  ['Grace', 'en'],
  ['Лев', 'ru'],
  ['Noor', 'en'],
  ['Алина', 'ru'],
  ['Роман', 'ru'],
  ['Ines', 'en'],
  ['Кирилл', 'ru'],
  ['Marek', 'en'],
  ['Дарья', 'ru'],
  ['Полина', 'ru'],
  ['Jonas', 'en'],
  ['Артём', 'ru'],
  ['Wei', 'en'],
  ['Илья', 'ru'],
  ['Ксения', 'ru'],
  ['Omar', 'en'],
  ['Глеб', 'ru'],
  ['Вера', 'ru'],
  ['Tomas', 'en'],
  ['Марк', 'ru'],
  ['Лидия', 'ru'],
  ['Arjun', 'en'],
  ['Степан', 'ru'],
  ['Ева', 'ru'],
  ['Daniel', 'en'],
  ['Захар', 'ru'],
  ['Мира', 'ru'],
  ['Putri', 'en'],
  ['Егор', 'ru'],
  ['Анна', 'ru'],
  ['Luca', 'en'],
  ['Никита', 'ru'],
  ['Софья', 'ru'],
  ['Rafael', 'en'],
  ['Олег', 'ru'],
  ['Яна', 'ru'],
  ['Emma', 'en'],
  ['Фёдор', 'ru'],
  ['Таисия', 'ru'],
].map(([name = '', locale]) => ({ name, locale: locale === 'ru' ? 'ru' : 'en' }))
