import type { Readable } from 'node:stream'
import type { Locale } from '#contract/constants.ts'
import type { MovementItem } from '#contract/history.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import type { Caller, Member } from '#server/http/caller.ts'
import type { Cell } from './csv.ts'
import { toMovement } from './list-movements.ts'
import { type MovementsFilter, pageOfMovements, toMovementsCursor } from './page-of-movements.ts'
import { sendCsv } from './send-csv.ts'

const TITLES: Record<Locale, readonly string[]> = {
  ru: ['ID', 'Время', 'Движение', 'Сумма', 'Баланс после', 'Валюта', 'За что', 'ID покупки', 'Сервис', 'Страна'],
  en: ['ID', 'Time', 'Movement', 'Amount', 'Balance after', 'Currency', 'For', 'Purchase ID', 'Service', 'Country'],
}
type Purpose = NonNullable<MovementItem['subject']>['purpose']
const WORDS: Record<Locale, Record<MovementItem['kind'] | Purpose, string>> = {
  ru: {
    ...{ hold: 'покупка', release: 'возврат', refund: 'возврат поддержкой', credit: 'начисление', debit: 'списание' },
    ...{ activation: 'активация', rental: 'аренда', extension: 'продление аренды', preorder: 'предзаказ' },
  },
  en: {
    ...{ hold: 'purchase', release: 'given back', refund: 'refund by staff', credit: 'credit', debit: 'debit' },
    ...{ activation: 'activation', rental: 'rental', extension: 'extension of a rental', preorder: 'pre-order' },
  },
}

/** What GET /api/v1/movements lists, as a file. */
export function exportMovements(
  ctx: Context,
  caller: Caller & { member: Member },
  filter: MovementsFilter & { cursor?: string | undefined },
  wire: Wire | undefined,
): Promise<Readable> {
  const { userId } = caller.member
  const { locale } = caller
  return sendCsv(ctx, {
    ...{ userId, locale, wire },
    table: {
      name: 'movements',
      titles: TITLES[locale],
      async read(after: string | null, limit) {
        const { rows, next } = await pageOfMovements(ctx, { userId, filter, cursor: after ?? filter.cursor, limit })
        return { rows, next: next === null ? null : toMovementsCursor(next) }
      },
      toCells: (row) => toCells(toMovement(ctx, row, locale), locale),
    },
  })
}

function toCells(item: MovementItem, locale: Locale): Cell[] {
  const words = WORDS[locale]
  const { subject } = item
  return [
    ...[{ figure: item.id }, { figure: item.at }, { text: words[item.kind] }, { figure: item.amount }],
    ...[{ figure: item.balance }, { text: item.currency.toUpperCase() }],
    ...[{ text: subject === null ? null : words[subject.purpose] }, { figure: subject?.id ?? null }],
    ...[{ text: subject?.service.name ?? null }, { text: subject?.country.name ?? null }],
  ]
}
