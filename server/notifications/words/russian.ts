import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { NotificationWords } from './words-of.ts'

export const russian: NotificationWords = {
  'payment-credited': ({ amount, currency }) => ({
    title: `Зачислено ${formatMoney(amount, currency, 'ru')}`,
    text: 'Деньги уже на балансе.',
  }),
  'payment-disputed': ({ amount, currency }) => ({
    title: `Оспорен платёж на ${formatMoney(amount, currency, 'ru')}`,
    text: 'Банк забрал деньги, пока спор не решён. Если это ошибка, отзовите спор в банке.',
  }),
  'balance-low': ({ limit, currency }) => ({
    title: `На балансе меньше ${formatMoney(limit, currency, 'ru')}`,
    text: 'Пополните его, чтобы покупки не остановились.',
  }),
  'rental-ending': ({ phone, countryId }, names) => ({
    title: `Аренда ${formatPhone(phone, names.dial(countryId))} скоро закончится`,
    text: 'Номер отключится, вернуть его будет нельзя. Продлить пока можно.',
  }),
  'preorder-bought': ({ serviceCode, countryId }, names) => ({
    title: `Номер по предзаказу куплен: ${names.service(serviceCode)}`,
    text: `${names.country(countryId)}. Номер ждёт сообщение.`,
  }),
  'preorder-ended': ({ serviceCode, countryId, state }, names) => ({
    title: `Предзаказ закончился: ${names.service(serviceCode)}`,
    text:
      state === 'expired'
        ? `${names.country(countryId)}. Номеров за это время не нашлось, деньги вернулись на баланс.`
        : `${names.country(countryId)}. На балансе не хватило денег, чтобы ждать дальше.`,
  }),
  'ticket-answer': ({ subject }) => ({
    title: 'Поддержка ответила',
    text: subject,
  }),
  'favorite-price': ({ serviceCode, price, currency }, names) => ({
    title: `${names.service(serviceCode)} от ${formatMoney(price, currency, 'ru')}`,
    text: 'Цена избранного сервиса опустилась до вашей границы.',
  }),
  'new-device': ({ device, address }) => ({
    title: 'Вход с нового устройства',
    text: `${device}, ${address}. Если это не вы, завершите этот сеанс и смените пароль.`,
  }),
  news: ({ ru }) => ru,
}
