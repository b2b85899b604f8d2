import { createHash } from 'node:crypto'
import type { Currency } from '#contract/money.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { type RentMessage, rowsOf } from './read-rent.ts'
import type { Reply } from './read-reply.ts'

const MAX_SERVICES = 10_000
const MAX_COUNTRIES = 1_000
const MAX_STOCK = 1_000_000_000
const ID = /^[\w-]{1,64}$/
const PHONE = /^\+?(\d{5,15})$/
const NUMBERS: Readonly<Record<Currency, string>> = { rub: '643', usd: '840' }

export type RentServices = { countries: string[]; services: Map<string, { costMicros: bigint; stock: number }> }

/** Reads a reply to getRentServicesAndCountries. Returns null if it is unreadable or in a different currency. */
export function readRentServices({ json }: Reply, currency: Currency): RentServices | null {
  if (!isRecord(json) || !(isRecord(json.services) || isEmptyList(json.services))) return null
  const told = textOf(json.currency)
  if (told !== null && told !== NUMBERS[currency]) return null
  const entries = isRecord(json.services) ? Object.entries(json.services).slice(0, MAX_SERVICES) : []
  return {
    countries: valuesOf(json.countries)
      .flatMap((country) => textOf(country) ?? [])
      .filter((country) => /^\d{1,6}$/.test(country))
      .slice(0, MAX_COUNTRIES),
    services: new Map(
      entries.flatMap(([service, entry]) => {
        const costMicros = isRecord(entry) ? readAmount(entry.cost) : null
        const stock = isRecord(entry) ? stockOf(entry.quant) : null
        return costMicros === null || costMicros === 0n || stock === null ? [] : [[service, { costMicros, stock }]]
      }),
    ),
  }
}

/** The language PHP writes an empty object as a list. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function valuesOf(values: unknown): unknown[] {
  if (Array.isArray(values)) return values
  return isRecord(values) ? Object.values(values) : []
}

/** Reads the stock, which is a number or `{current, total}`. */
function stockOf(quant: unknown): number | null {
  const counted = textOf(isRecord(quant) ? quant.current : quant)
  return counted === null || !/^\d{1,9}$/.test(counted) ? null : Math.min(Number(counted), MAX_STOCK)
}

export type ListedRent = { rentId: string; phone: string }

/** Reads a reply to getRentList. Returns null if it is no list of rentals. */
export function readListedRents(reply: Reply): ListedRent[] | null {
  if (reply.word === 'NO_NUMBERS') return []
  if (!isRecord(reply.json) || reply.json.status !== 'success') return null
  return rowsOf(reply.json.values).flatMap(({ id, phone }) => {
    const rentId = textOf(id) ?? ''
    const digits = PHONE.exec(textOf(phone)?.trim() ?? '')?.[1]
    return digits === undefined || !ID.test(rentId) ? [] : [{ rentId, phone: digits }]
  })
}

export type MessagePage = { quantity: number | null; rows: Omit<RentMessage, 'id'>[]; times: string[] }

/** Reads a reply to getRentStatus, newest message first. Returns null if it is no page of messages. */
export function readMessagePage({ json }: Reply): MessagePage | null {
  if (!isRecord(json) || json.status !== 'success') return null
  const rows = rowsOf(json.values).filter((row) => textOf(row.text) !== null)
  const quantity = Number(textOf(json.quantity) ?? Number.NaN)
  return {
    quantity: Number.isInteger(quantity) ? quantity : null,
    rows: rows.map((row) => ({ sender: textOf(row.phoneFrom) ?? '', text: textOf(row.text) ?? '' })),
    times: rows.map((row) => textOf(row.date) ?? ''),
  }
}

/**
 * Sorts messages oldest first and makes ids, because the service has none. Equal texts of one second are counted within
 * a page only, because pages may shift and show a message twice.
 */
export function nameMessages({ rows, times }: MessagePage): RentMessage[] {
  const counts = new Map<string, number>()
  const oldestFirst = rows.map((row, place) => ({ ...row, time: times[place] ?? '' })).toReversed()
  return oldestFirst.map(({ sender, text, time }) => {
    const words = createHash('sha256')
      .update(JSON.stringify([time, sender, text]))
      .digest('hex')
      .slice(0, 24)
    const count = counts.get(words) ?? 0
    counts.set(words, count + 1)
    return { id: `${words}:${count}`, sender, text }
  })
}

/** Reads a reply to continueRentInfo. Returns null if it has no price. `extensions` is null if it has no history. */
export function readContinueInfo({ json }: Reply): { costMicros: bigint; extensions: number | null } | null {
  if (!isRecord(json) || json.status !== 'success') return null
  const costMicros = readAmount(json.price)
  if (costMicros === null) return null
  const { history } = json
  const isTold = isRecord(history) || Array.isArray(history)
  return { costMicros, extensions: isTold ? valuesOf(history).length : null }
}
