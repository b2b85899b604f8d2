import type { Locale } from '#contract/constants.ts'
import type { HistoryItem } from '#contract/past/history.ts'
import { type CsvColumn, csvExport } from './csv-export.ts'
import { listHistory } from './list-history.ts'

const WORDS: Record<HistoryItem['mode'] | HistoryItem['outcome'], Record<Locale, string>> = {
  activation: { ru: 'активация', en: 'activation' },
  rent: { ru: 'аренда', en: 'rental' },
  active: { ru: 'открыт', en: 'open' },
  received: { ru: 'оплачен', en: 'paid' },
  returned: { ru: 'деньги возвращены', en: 'refunded' },
}

const COLUMNS: readonly CsvColumn<HistoryItem>[] = [
  { title: { ru: 'ID', en: 'ID' }, cell: ({ id }) => ({ figure: id }) },
  { title: { ru: 'Тип', en: 'Type' }, cell: ({ mode }, locale) => ({ text: WORDS[mode][locale] }) },
  { title: { ru: 'Итог', en: 'Outcome' }, cell: ({ outcome }, locale) => ({ text: WORDS[outcome][locale] }) },
  { title: { ru: 'Сервис', en: 'Service' }, cell: ({ service }) => ({ text: service.name }) },
  { title: { ru: 'Страна', en: 'Country' }, cell: ({ country }) => ({ text: country.name }) },
  { title: { ru: 'Оператор', en: 'Operator' }, cell: ({ operator }) => ({ text: operator }) },
  { title: { ru: 'Номер', en: 'Number' }, cell: ({ phone }) => ({ text: phone }) },
  { title: { ru: 'Цена', en: 'Price' }, cell: ({ price }) => ({ figure: price }) },
  { title: { ru: 'Оплачено', en: 'Paid' }, cell: ({ paid }) => ({ figure: paid }) },
  { title: { ru: 'Валюта', en: 'Currency' }, cell: ({ currency }) => ({ text: currency.toUpperCase() }) },
  { title: { ru: 'Срок, ч', en: 'Hours' }, cell: ({ hours }) => ({ figure: hours }) },
  { title: { ru: 'Код', en: 'Code' }, cell: ({ code }) => ({ text: code }) },
  { title: { ru: 'Сообщений', en: 'Messages' }, cell: ({ messages_count }) => ({ figure: messages_count }) },
  { title: { ru: 'Куплено', en: 'Bought' }, cell: ({ created_at }) => ({ at: created_at }) },
  { title: { ru: 'Завершено', en: 'Ended' }, cell: ({ ended_at }) => ({ at: ended_at }) },
]

export const exportHistory = csvExport({
  name: 'history',
  columns: COLUMNS,
  list: async (...asked: Parameters<typeof listHistory>) => (await listHistory(...asked)).history,
})
