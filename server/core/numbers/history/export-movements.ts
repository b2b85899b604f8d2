import type { MovementItem } from '#contract/past/history.ts'
import { type CsvColumn, csvExport } from './csv-export.ts'
import { readMovements } from './list-movements.ts'
import { MOVEMENT_WORDS as WORDS } from './movement-words.ts'

const COLUMNS: readonly CsvColumn<MovementItem>[] = [
  { title: { ru: 'ID', en: 'ID' }, cell: ({ id }) => ({ figure: id }) },
  { title: { ru: 'Время', en: 'Time' }, cell: ({ at }) => ({ at }) },
  { title: { ru: 'Операция', en: 'Type' }, cell: (item, locale) => ({ text: WORDS[wordOf(item)][locale] }) },
  { title: { ru: 'Сумма', en: 'Amount' }, cell: ({ amount }) => ({ figure: amount }) },
  { title: { ru: 'Баланс после', en: 'Balance after' }, cell: ({ balance }) => ({ figure: balance }) },
  { title: { ru: 'Валюта', en: 'Currency' }, cell: ({ currency }) => ({ text: currency.toUpperCase() }) },
  {
    title: { ru: 'За что', en: 'Related to' },
    cell: ({ subject, payment }, locale) => ({
      text: subject ? WORDS[subject.purpose][locale] : (payment?.name ?? null),
    }),
  },
  { title: { ru: 'ID покупки', en: 'Purchase ID' }, cell: ({ subject }) => ({ figure: subject?.id ?? null }) },
  { title: { ru: 'Платёж', en: 'Payment' }, cell: ({ payment }) => ({ text: payment?.transaction_id ?? null }) },
  { title: { ru: 'Сервис', en: 'Service' }, cell: ({ subject }) => ({ text: subject?.service.name ?? null }) },
  { title: { ru: 'Страна', en: 'Country' }, cell: ({ subject }) => ({ text: subject?.country.name ?? null }) },
]

function wordOf({ kind, subject }: MovementItem): keyof typeof WORDS {
  return kind === 'hold' && subject?.money === 'captured' ? 'charged' : kind
}

export const exportMovements = csvExport({
  name: 'movements',
  columns: COLUMNS,
  list: async (...asked: Parameters<typeof readMovements>) => (await readMovements(...asked)).movements,
})
