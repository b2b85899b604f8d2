import type { Readable } from 'node:stream'
import type { Locale } from '#contract/constants.ts'
import type { HistoryItem } from '#contract/history.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller, Member } from '#server/http/caller.ts'
import type { Cell } from './csv.ts'
import { toItem } from './list-history.ts'
import { type PastFilter, pageOfPast } from './page-of-past.ts'
import { type Place, readCursor } from './place.ts'
import { sendCsv } from './send-csv.ts'

const TITLES: Record<Locale, readonly string[]> = {
  ru: [
    ...['ID', 'Тип', 'Итог', 'Сервис', 'Страна', 'Оператор', 'Номер', 'Цена', 'Оплачено', 'Валюта', 'Часов', 'Код'],
    ...['Сообщений', 'Куплено', 'Завершено'],
  ],
  en: [
    ...[
      'ID',
      'Type',
      'Outcome',
      'Service',
      'Country',
      'Operator',
      'Number',
      'Price',
      'Paid',
      'Currency',
      'Hours',
      'Code',
    ],
    ...['Messages', 'Bought', 'Ended'],
  ],
}
const WORDS: Record<Locale, Record<HistoryItem['mode'] | HistoryItem['outcome'], string>> = {
  ru: {
    ...{ activation: 'активация', rent: 'аренда' },
    ...{ active: 'открыт', received: 'оплачен', returned: 'деньги возвращены' },
  },
  en: {
    ...{ activation: 'activation', rent: 'rental' },
    ...{ active: 'open', received: 'paid', returned: 'given back' },
  },
}

/** What GET /api/v1/history lists, as a file. */
export function exportHistory(
  ctx: Context,
  caller: Caller & { member: Member },
  filter: PastFilter & { cursor?: string | undefined },
  wire: Wire | undefined,
): Promise<Readable> {
  const { userId } = caller.member
  const { locale } = caller
  return sendCsv(ctx, {
    ...{ userId, locale, wire },
    table: {
      name: 'history',
      titles: TITLES[locale],
      read: (after: Place | null, limit) =>
        pageOfPast(ctx, { userId, filter, after: after ?? readCursor(filter.cursor), limit }),
      toCells: (row) => toCells(toItem(ctx, row, locale), locale),
    },
  })
}

function toCells(item: HistoryItem, locale: Locale): Cell[] {
  const words = WORDS[locale]
  return [
    ...[{ figure: item.id }, { text: words[item.mode] }, { text: words[item.outcome] }],
    ...[{ text: item.service.name }, { text: item.country.name }, { text: item.operator }, { text: item.phone }],
    ...[{ figure: item.price }, { figure: item.paid }, { text: item.currency.toUpperCase() }, { figure: item.hours }],
    ...[{ text: item.code }, { figure: item.messages_count }, { figure: item.created_at }, { figure: item.ended_at }],
  ]
}
