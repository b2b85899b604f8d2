import type { SoldNumber } from '#server/adapters/shared/resold/sold-number.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, readTime, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import type { Reply } from './read-reply.ts'

const ID = /^[\w-]{1,64}$/
const PHONE = /^\+?(\d{5,15})$/

/** Reads `ACCESS_NUMBER:id:phone` or the object of getNumberV2. Returns null if the reply has no number. */
export function readNumber(reply: Reply): SoldNumber | null {
  if (reply.word === 'ACCESS_NUMBER') {
    const [id = null, phone = null] = reply.rest.split(':')
    return numberOf({ id, phone, costMicros: null, lifetimeMs: null })
  }
  if (!isRecord(reply.json)) return null
  return readNumberFields(reply.json)
}

/** Reads an object of getNumberV2, getOrder or the open activations, in which field names differ by service. */
export function readNumberFields(fields: Record<string, unknown>): SoldNumber | null {
  const { activationId, act_id: otherId, id, phoneNumber, phone, number } = fields
  return numberOf({
    id: textOf(activationId ?? otherId ?? id),
    phone: textOf(phoneNumber ?? phone ?? number),
    costMicros: readAmount(fields.activationCost),
    lifetimeMs: lifetimeOf(fields),
  })
}

function numberOf(read: {
  id: string | null
  phone: string | null
  costMicros: bigint | null
  lifetimeMs: number | null
}): SoldNumber | null {
  const phone = PHONE.exec(read.phone?.trim() ?? '')?.[1]
  const id = read.id?.trim() ?? ''
  if (phone === undefined || !ID.test(id)) return null
  return { activationId: id, phone, costMicros: read.costMicros, lifetimeMs: read.lifetimeMs }
}

/** Returns the difference of two times of the supplier, so their time zone does not matter. */
function lifetimeOf({ activationTime, activationEndTime, activationEnd }: Record<string, unknown>): number | null {
  const begin = readTime(activationTime)
  const end = readTime(activationEndTime ?? activationEnd)
  if (begin === null || end === null) return null
  const lifetimeMs = end.at.getTime() - begin.at.getTime()
  return lifetimeMs > 0 && begin.zoned === end.zoned ? lifetimeMs : null
}
