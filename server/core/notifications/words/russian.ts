import { formatPhone } from '#contract/formats/phone-format.ts'
import { type Currency, formatMoney, toDecimal } from '#contract/money.ts'
import { type NotificationWords, someOf } from './language.ts'

export const russian: NotificationWords = {
  'payment-credited': ({ amountMicros, currency }) => ({
    title: `Зачислено ${money(amountMicros, currency)}`,
    text: 'Деньги уже на балансе.',
  }),
  'payment-disputed': ({ amountMicros, currency }) => ({
    title: `Оспорен платёж на ${money(amountMicros, currency)}`,
    text: 'Пока идёт спор, деньги остаются у банка. Если вы оспорили платёж по ошибке, отзовите спор в банке.',
  }),
  'dispute-ended': ({ amountMicros, currency, isWon }) => ({
    title: `Спор о платеже на ${money(amountMicros, currency)} закрыт`,
    text: isWon
      ? 'Спор отклонён, деньги снова на балансе.'
      : 'Спор решён в пользу плательщика: деньги на баланс не вернутся.',
  }),
  refunded: ({ amountMicros, currency, serviceCode, countryId, phone }, names) => ({
    title: `Возврат: ${money(amountMicros, currency)}`,
    text: `За ${names.service(serviceCode)}${phone === null ? '' : `, номер ${formatPhone(phone, names.dial(countryId))}`}. Деньги уже на балансе.`,
  }),
  'balance-low': ({ limitMicros, currency }) => ({
    title: `На балансе меньше ${money(limitMicros, currency)}`,
    text: 'Пополните баланс, чтобы покупки не остановились.',
  }),
  'rental-ending': ({ phone, countryId }, names) => ({
    title: `Аренда ${formatPhone(phone, names.dial(countryId))} скоро закончится`,
    text: 'Номер отключится, и вернуть его будет нельзя. Пока аренду можно продлить.',
  }),
  'preorder-bought': ({ serviceCode, countryId }, names) => ({
    title: `Номер по предзаказу куплен: ${names.service(serviceCode)}`,
    text: `${names.country(countryId)}. Ждём код.`,
  }),
  'preorder-ended': ({ serviceCode, countryId, state }, names) => ({
    title: `Предзаказ завершён: ${names.service(serviceCode)}`,
    text:
      state === 'expired'
        ? `${names.country(countryId)}. Номер не появился, деньги вернулись на баланс.`
        : `${names.country(countryId)}. На балансе не хватило денег, и мы отменили предзаказ.`,
  }),
  'webhook-off': ({ label, host, reason, sandbox }) => ({
    title: `${sandbox ? 'Тестовый вебхук' : 'Вебхук'} ${label} выключен`,
    text: [
      reason === 'gone' ? `${host} ответил, что адреса больше нет (410).` : `${host} не отвечал три дня.`,
      sandbox
        ? 'Он сообщал только о покупках на тестовые деньги. Включить его можно через API с тестовым ключом.'
        : 'Пока вы его не включите, мы ничего не отправляем.',
    ].join(' '),
  }),
  'ticket-answer': ({ subject }) => ({
    title: 'Поддержка ответила',
    text: subject,
  }),
  'favorite-price': ({ serviceCode, priceMicros, currency, others = [] }, names) => ({
    title: `${names.service(serviceCode)} от ${money(priceMicros, currency)}`,
    text:
      others.length === 0
        ? 'Цена на избранный сервис опустилась до суммы, которую вы указали.'
        : `До суммы, которую вы указали, опустились цены и на другие избранные сервисы: ${someOf(others.map(names.service), 'и другие')}.`,
  }),
  'new-device': ({ device, address }) => ({
    title: 'Вход с нового устройства',
    text: `${device}, ${address}. Если это были не вы, завершите этот сеанс и смените пароль.`,
  }),
  'telegram-linked': ({ name }) => ({
    title: 'Telegram подключён',
    text: `Выбранные коды и уведомления теперь приходят в чат ${name}. Если это были не вы, отключите чат и смените пароль.`,
  }),
  'telegram-unlinked': ({ name }) => ({
    title: 'Telegram отключён',
    text: `В чат ${name} больше ничего не пришлём.`,
  }),
  'security-silenced': ({ channels }) => ({
    title: 'Часть уведомлений о безопасности отключена',
    text: `Мы больше не присылаем их ${channels.map((channel) => CHANNELS[channel]).join(', ')}. Если это были не вы, включите их снова и смените пароль.`,
  }),
  news: ({ ru }) => ru,
}

const CHANNELS = { site: 'на сайт', mail: 'на почту', push: 'в браузер', telegram: 'в Telegram' } as const

function money(micros: string, currency: Currency): string {
  return formatMoney(toDecimal(BigInt(micros)), currency, 'ru')
}
