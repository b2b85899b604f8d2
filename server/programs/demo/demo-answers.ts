export const demoAnswers: readonly { title: string; ru: string; en: string }[] = [
  {
    title: 'Код не пришёл · No code',
    ru: `Здравствуйте, {name}!

Код так и не пришёл: сервис мог задержать его или не отправить совсем. Пока сообщения нет, номер можно отменить, и деньги сразу вернутся на баланс. Попробуйте номер другого оператора или другой страны: обычно это помогает.`,
    en: `Hello, {name}!

No code has arrived: the service may have sent it late, or not at all. Until a message arrives, you can cancel the number and we’ll refund you straight away. A number from another operator or country usually helps.`,
  },
  {
    title: 'Код не подошёл · Code refused',
    ru: `Здравствуйте, {name}!

Посмотрите, пожалуйста, последнее сообщение целиком: если их несколько, подходит только самый новый код. Если сервис не принимает и его, пришлите текст ошибки, и мы проверим номер.`,
    en: `Hello, {name}!

Please read the latest message in full: if there are several, only the newest code works. If the service doesn’t accept that one either, tell us exactly what it says, and we’ll check the number.`,
  },
  {
    title: 'Платёж не дошёл · Payment missing',
    ru: `Здравствуйте, {name}!

Ищем ваш платёж. Пришлите, пожалуйста, чек или хеш перевода и время оплаты по вашим часам. Деньги зачислятся на баланс автоматически, как только платёжная система подтвердит платёж. Номер обращения: {ticket}.`,
    en: `Hello, {name}!

We’re looking for your payment. Please send us the receipt or the transaction hash, and the local time when you paid. We’ll credit your balance automatically once the payment system confirms the payment. Your ticket number is {ticket}.`,
  },
  {
    title: 'Деньги вернули · Refunded',
    ru: `Здравствуйте, {name}!

Номер не сработал, поэтому деньги за него мы вернули: они уже на балансе. Простите за потерянное время.`,
    en: `Hello, {name}!

The number didn’t work, so we’ve refunded you: the money is already on your balance. We’re sorry for the time you lost.`,
  },
]
