export const demoAnswers: readonly { title: string; ru: string; en: string }[] = [
  {
    title: 'Код не пришёл · No code',
    ru: `Здравствуйте, {name}!

Код так и не пришёл: сервис мог отправить его не сразу или не отправить совсем. Пока сообщения нет, номер можно отменить, и деньги сразу вернутся на баланс. Возьмите номер другого оператора или другой страны: чаще всего это помогает.`,
    en: `Hello, {name}!

No code has come: the service may have sent it late, or not at all. Until a message arrives you can cancel the number, and the money is back on your balance at once. A number of another operator or country usually helps.`,
  },
  {
    title: 'Код не подошёл · Code refused',
    ru: `Здравствуйте, {name}!

Посмотрите, пожалуйста, последнее сообщение целиком: если их несколько, подходит только самый новый код. Если сервис не принимает и его, напишите, какими словами он отказывает, и мы проверим номер.`,
    en: `Hello, {name}!

Please look at the whole of the latest message: when there are several, only the newest code works. If the service refuses that one too, tell us its exact words, and we will check the number.`,
  },
  {
    title: 'Платёж не дошёл · Payment missing',
    ru: `Здравствуйте, {name}!

Ищем ваш платёж. Пришлите, пожалуйста, чек или хеш перевода и время оплаты по вашим часам. Деньги зачислятся на баланс сами, как только платёжная система подтвердит платёж. Номер обращения: {ticket}.`,
    en: `Hello, {name}!

We are looking for your payment. Please send the receipt or the hash of the transfer, and when you paid by your clock. The money comes to your balance by itself once the payment system confirms it. Your ticket is number {ticket}.`,
  },
  {
    title: 'Деньги вернули · Refunded',
    ru: `Здравствуйте, {name}!

Номер не сработал, поэтому деньги за него мы вернули: они уже на балансе. Простите за потерянное время.`,
    en: `Hello, {name}!

The number did not work, so we have given the money back: it is on your balance already. We are sorry for the time you lost.`,
  },
]
