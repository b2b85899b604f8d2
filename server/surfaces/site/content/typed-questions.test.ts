import { expect, test } from 'vitest'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { storeContent } from './store-content.ts'

/** How people type their questions, mistakes and keyboard layouts included, and the answer that is right for each. */
const QUESTIONS = {
  ru: [
    ['удалить аккаунт', 'account/delete-account'],
    ['elfkbnm frrfeyn', 'account/delete-account'],
    ['апи', 'api/api-key'],
    ['ключ апи', 'api/api-key'],
    ['не пришёл код', 'codes/no-code-came'],
    ['не прешел код', 'codes/no-code-came'],
    ['где деньги', 'money/top-up-missing'],
    ['деньги не пришли', 'money/top-up-missing'],
    ['номер занят', 'numbers/number-already-used'],
    ['как отменить', 'numbers/cancel-number'],
    ['возврат', 'money/refund'],
    ['сменить почту', 'account/change-email'],
    ['не приходит письмо', 'account/no-email'],
    ['двухфакторка', 'account/two-factor'],
    ['потерял телефон', 'account/two-factor'],
    ['забыл пароль', 'account/sign-in'],
    ['лимит', 'numbers/limits'],
    ['аренда продлить', 'rent/extend'],
    ['сколько ждать', 'codes/how-long'],
    ['код не подошел', 'codes/code-refused'],
    ['какая страна лучше', 'numbers/which-country'],
    ['почему цена разная', 'money/why-prices-differ'],
    ['пополнить картой', 'money/top-up'],
    ['пополнить криптой', 'money/coin'],
    ['usdt сеть', 'money/coin'],
    ['чек', 'money/receipt'],
    ['реферал', 'money/referral'],
    ['скидка', 'money/bonuses'],
    ['аккаунт заблокировали', 'account/blocked'],
    ['можно ли вернуть номер', 'numbers/same-number-again'],
    ['ещё один код', 'codes/another-code'],
    ['звонок', 'codes/call-instead'],
    ['whatsapp бан', 'numbers/service-ban'],
    ['вебхук', 'api/webhooks'],
    ['телеграм бот', 'account/telegram-notices'],
    ['ошибка NO_NUMBERS', 'api/error-words'],
    ['ghjvjrjl', 'money/voucher'],
    ['как вывести деньги', 'money/withdraw'],
    ['номеров нет что делать', 'numbers/out-of-stock'],
    ['за что списали деньги', 'money/when-charged'],
    ['карта не проходит', 'money/card-declined'],
    ['не могу оплатить картой', 'money/card-declined'],
    ['мои обращения', 'account/my-tickets'],
    ['поддержка не отвечает', 'account/my-tickets'],
    ['продлить', 'rent/extend'],
    ['продлить 20 минут', 'numbers/extend-activation'],
    ['мало времени', 'numbers/extend-activation'],
  ],
  en: [
    ['delete my account', 'account/delete-account'],
    ['no code', 'codes/no-code-came'],
    ['how to get a refund', 'money/refund'],
    ['number already used', 'numbers/number-already-used'],
    ['forgot password', 'account/sign-in'],
    ['2fa lost phone', 'account/two-factor'],
    ['change email', 'account/change-email'],
    ['api key', 'api/api-key'],
    ['pay with card', 'money/top-up'],
    ['payment not credited', 'money/top-up-missing'],
    ['whatsapp banned', 'numbers/service-ban'],
    ['how long to wait', 'codes/how-long'],
    ['extend rent', 'rent/extend'],
    ['cancel rental', 'rent/cancel-rent'],
    ['wrong code', 'codes/code-refused'],
    ['can i get a call', 'codes/call-instead'],
    ['NO_BALANCE', 'api/error-words'],
    ['discuont', 'money/bonuses'],
    ['old messages', 'numbers/past-numbers'],
    ['frozen money', 'money/held-money'],
    ['card declined', 'money/card-declined'],
    ['my tickets', 'account/my-tickets'],
    ['extend 20 minutes', 'numbers/extend-activation'],
  ],
} as const

test('N-10: at least 65 of 70 typed questions find the right answer first', async () => {
  await using t = await startTestApp()
  await storeContent(t.ctx)
  const misses: string[] = []
  for (const locale of ['ru', 'en'] as const) {
    for (const [search, right] of QUESTIONS[locale]) {
      const { data } = await call(t, 'GET /api/v1/content/search', { search, kind: 'answer' }, { locale })
      const [first] = data
      if (first?.path !== `/faq/${right}`) misses.push(`${search}: ${first?.path ?? 'nothing'}, not /faq/${right}`)
    }
  }
  expect(QUESTIONS.ru.length + QUESTIONS.en.length).toBe(70)
  // Five misses at most; a failure shows each of them.
  expect(misses.slice(5), misses.join('\n')).toEqual([])
})
