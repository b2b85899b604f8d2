import type { ReadMessage, SoldNumber } from '#server/adapters/shared/resold/sold-number.ts'
import { isRecord, readTime, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { readToldCode } from '#server/adapters/shared/resold/wire/told-code.ts'
import { readNumberFields } from './read-number.ts'
import type { Reply } from './read-reply.ts'

export type ActiveItem = SoldNumber & {
  service: string | null
  country: string | null
  /** It waits for another code: what it shows is the earlier one. */
  isAgain: boolean
  madeAt: { at: Date; zoned: boolean } | null
  /** Our order's name, where the other tells it. */
  orderId: string | null
  /** Oldest first. */
  messages: ReadMessage[]
}

/** null: not such a list. A row that cannot be read is left out. */
export function readActive(reply: Reply, again: string): ActiveItem[] | null {
  if (reply.word === 'NO_ACTIVATIONS') return []
  const rows = rowsOf(reply.json)
  return rows === null ? null : rows.flatMap((row) => readItem(row, again) ?? [])
}

/** A bare list, `data`, `activeActivations`, or that with `rows`. */
function rowsOf(json: unknown): Record<string, unknown>[] | null {
  if (Array.isArray(json)) return json.filter(isRecord)
  if (!isRecord(json)) return null
  const { data, activeActivations: active, activations } = json
  const lists = [data, active, activations, isRecord(active) ? active.rows : undefined]
  const found = lists.find((list) => Array.isArray(list))
  return Array.isArray(found) ? found.filter(isRecord) : null
}

export function readItem(row: Record<string, unknown>, again: string): ActiveItem | null {
  const number = readNumberFields(row)
  if (number === null) return null
  return {
    ...number,
    service: textOf(row.serviceCode),
    country: textOf(row.countryCode),
    isAgain: textOf(row.activationStatus) === again,
    madeAt: readTime(row.activationTime),
    orderId: textOf(row.orderId),
    messages: readMessages(row),
  }
}

/** Our own service numbers its messages; others show the newest, some its code alone. */
function readMessages(row: Record<string, unknown>): ReadMessage[] {
  if (Array.isArray(row.messages)) {
    return row.messages.filter(isRecord).flatMap((message) => {
      const id = textOf(message.id)
      const text = textOf(message.text) ?? textOf(message.code)
      return text === null ? [] : [{ id, sender: textOf(message.from) ?? '', text, code: readToldCode(message.code) }]
    })
  }
  const codes = Array.isArray(row.smsCode) ? row.smsCode : [row.smsCode]
  const text = textOf(row.smsText) ?? textOf(codes.at(-1))
  return text === null ? [] : [{ id: null, sender: '', text, code: readToldCode(codes.at(-1)) }]
}
