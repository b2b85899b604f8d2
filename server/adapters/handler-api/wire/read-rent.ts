import type { ReadMessage } from '#server/adapters/shared/resold/sold-number.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { Reply } from './read-reply.ts'

export type RentedNumber = { rentId: string; phone: string; costMicros: bigint | null }

const ID = /^[\w-]{1,64}$/
const PHONE = /^\+?(\d{5,15})$/

export function readRented({ json }: Reply): RentedNumber | null {
  if (!isRecord(json) || json.status !== 'success' || !isRecord(json.phone)) return null
  const { id, number } = json.phone
  return rentedOf(id, number, json.activationCost)
}

function rentedOf(id: unknown, phone: unknown, cost: unknown): RentedNumber | null {
  const rentId = textOf(id) ?? ''
  const digits = PHONE.exec(textOf(phone)?.trim() ?? '')?.[1]
  return digits === undefined || !ID.test(rentId) ? null : { rentId, phone: digits, costMicros: readAmount(cost) }
}

/** A message of a rental. The API gives no codes of such messages. */
export type RentMessage = Omit<ReadMessage, 'code'> & { id: string }

export type RentOrder =
  | { order: 'none' }
  | { order: 'pending' }
  | { order: 'open' | 'ended'; rented: RentedNumber; startedAt: Date | null; messages: RentMessage[] }

/** Reads a reply to getRentOrder. Returns null if it says nothing about the order. */
export function readRentOrder({ json }: Reply): RentOrder | null {
  if (!isRecord(json)) return null
  const { order } = json
  if (order === 'none' || order === 'pending') return { order }
  const rented = rentedOf(json.id, json.phone, json.cost)
  if ((order !== 'open' && order !== 'ended') || rented === null) return null
  const startedAt = new Date(`${textOf(json.startDate)}Z`)
  const isTime = !Number.isNaN(startedAt.getTime())
  return { order, rented, startedAt: isTime ? startedAt : null, messages: readRentMessages(json.messages) }
}

/** Reads messages from a list, or an object with the keys "0", "1" …. Throws if a message has no id. */
export function readRentMessages(values: unknown): RentMessage[] {
  return rowsOf(values).flatMap((row) => {
    const id = textOf(row.id)
    const text = textOf(row.text)
    if (id === null) throw new Error('a message of a rental has no id')
    return text === null ? [] : [{ id, sender: textOf(row.phoneFrom) ?? '', text }]
  })
}

export type RentRow = { rentId: string; quantity: number; orderId: string | null }

/** Reads a reply to getRentList. Returns null if it is no list of rentals. */
export function readRentList(reply: Reply): RentRow[] | null {
  if (reply.word === 'NO_NUMBERS') return []
  if (!isRecord(reply.json) || reply.json.status !== 'success') return null
  return rowsOf(reply.json.values).flatMap((row) => {
    const rentId = textOf(row.id)
    const quantity = Number(textOf(row.quantity) ?? Number.NaN)
    return rentId === null || !Number.isInteger(quantity) ? [] : [{ rentId, quantity, orderId: textOf(row.orderId) }]
  })
}

export function rowsOf(values: unknown): Record<string, unknown>[] {
  const rows = Array.isArray(values) ? values : isRecord(values) ? Object.values(values) : []
  return rows.filter(isRecord)
}
