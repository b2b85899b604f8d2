import type { Claim } from '#server/core/numbers/ownership/choose-owner.ts'

export const NOW = new Date('2026-01-10T12:00:00.000Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)

type Written = { user?: string; kind?: Claim['kind']; ended?: number; got?: boolean }
const USERS = ['anna', 'boris']
let ids = 0n

/** Returns an order that may own a message. `order('tg')` is Anna's open Telegram activation without a message yet. */
export function order(
  serviceCode: string,
  { user = 'anna', kind = 'activation', ended, got = false }: Written = {},
): Claim {
  ids += 1n
  return {
    kind,
    id: ids,
    serviceCode,
    userId: USERS.indexOf(user),
    isWaiting: ended === undefined && !got,
    isPaid: got || kind === 'rental',
    againAskedAt: null,
    endedAt: ended === undefined ? null : ago(ended),
  }
}

export const boris = { user: 'boris' }
export const rental = { kind: 'rental' } as const
