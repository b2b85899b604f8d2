import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import type { Context } from '#server/house/context.ts'
import { hashParts } from '#server/house/hash-parts.ts'

import type { Behaviour } from './behaviours.ts'
import { compose } from './messages.ts'
import { listServiceNames } from './queries.ts'
import type { Timers } from './timers.ts'

export type Sold = { reference: string; serviceCode: string; phone: string; expiresAt: Date; behaviour: Behaviour }

export type Deliveries = {
  start(): Promise<void>
  /** Schedules a number's messages. `round` counts requests for another code, for unique message ids. */
  promise(sold: Sold, round: number): void
  /** Returns a function that delivers a message. Its text is derived from the message id, so retries do not differ. */
  draw(to: Pick<Sold, 'serviceCode' | 'phone' | 'behaviour' | 'reference'>, messageId: string): () => Promise<void>
}

export function createDeliveries(
  ctx: Context,
  settings: { supplierId: number; delayScale: number; timers: Timers },
): Deliveries {
  const { supplierId, delayScale, timers } = settings
  let names = new Map<string, string>()

  const draw: Deliveries['draw'] = ({ serviceCode, phone, behaviour, reference }, messageId) => {
    const drawn = Buffer.from(hashParts([supplierId, messageId, phone]), 'base64url').readUInt32BE()
    const code = (100_000 + (drawn % 900_000)).toString()
    const name = names.get(serviceCode) ?? serviceCode
    const text = compose(behaviour.words, { serviceCode, name, code })
    return async () => {
      await receiveSms(ctx, { supplierId, messageId, phone, sender: name, text, reference })
    }
  }

  return {
    async start() {
      names = await listServiceNames(ctx.db)
    },
    promise(sold, round) {
      const { behaviour, reference } = sold
      const start = behaviour.late === true ? Math.max(0, sold.expiresAt.getTime() - ctx.clock.now().getTime()) : 0
      for (const [place, [shortest, longest]] of behaviour.messagesAfterMs.entries()) {
        const drawn = shortest + ctx.random.below(longest - shortest + 1)
        timers.later(reference, start + drawn * delayScale, draw(sold, `${reference}-${round}-${place}`))
      }
      if (behaviour.refusedAfterMs !== undefined) {
        const refuse = () => reportNumberUnusable(ctx, { supplierId, reference })
        timers.later(reference, behaviour.refusedAfterMs * delayScale, refuse)
      }
    },
    draw,
  }
}
