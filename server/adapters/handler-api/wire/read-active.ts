import type { ReadMessage, SoldNumber } from '#server/adapters/shared/resold/sold-number.ts'
import { isRecord, readTime, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { readToldCode } from '#server/adapters/shared/resold/wire/told-code.ts'
import { readNumberFields } from './read-number.ts'
import type { Reply } from './read-reply.ts'

export type ActiveItem = SoldNumber & {
  service: string | null
  country: string | null
  /** True if the activation waits for another code. The listed code is then the earlier one. */
  isAgain: boolean
  madeAt: { at: Date; zoned: boolean } | null
  /** Our name of the order, or null if the supplier does not return it. */
  orderId: string | null
  messages: ReadMessage[]
}

/** Reads the list of open activations, without unreadable rows. Returns null if the reply is no such list. */
export function readActive(reply: Reply, again: string): ActiveItem[] | null {
  if (reply.word === 'NO_ACTIVATIONS') return []
  const rows = rowsOf(reply.json)
  return rows === null ? null : rows.flatMap((row) => readItem(row, again) ?? [])
}

/** Returns the rows of the list, which are the whole JSON, or stand in `data`, `activeActivations` or its `rows`. */
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

/**
 * Reads an activation's messages. Another installation of Ringpost gives ids to messages. Other services show only the
 * newest message, and some only its code.
 */
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
