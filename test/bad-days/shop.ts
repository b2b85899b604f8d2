import { type Buyer, buy, request } from './real-service.ts'

/** The replies that shoppers got: each status with its count, and the id of each acknowledged purchase. */
export type Seen = {
  statuses: Map<number, number>
  withoutRetryAfter: number
  bought: number[]
  away: number
  lost: string[]
}

export function noneSeen(): Seen {
  return { statuses: new Map(), withoutRetryAfter: 0, bought: [], away: 0, lost: [] }
}

/** Buys on and on, and cancels every second number, until it is stopped. */
export async function shop(url: string, buyer: Buyer, seen: Seen, stopped: AbortSignal): Promise<void> {
  const note = ({ status, retryAfter }: { status: number; retryAfter: string | null }) => {
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
    if (status !== 503) return
    seen.away += 1
    if (retryAfter === null) seen.withoutRetryAfter += 1
  }
  for (let press = 1; !stopped.aborted; press += 1) {
    try {
      const bought = await buy(url, buyer, `press-${buyer.id}-${press}`)
      note(bought)
      if (bought.body.data !== undefined && bought.status === 201) seen.bought.push(bought.body.data.id)
      note(await request(url, buyer, '/api/user/active-numbers'))
      if (bought.body.data !== undefined && press % 2 === 0) {
        note(await request(url, buyer, `/api/v1/activations/${bought.body.data.id}/cancel`, { method: 'POST' }))
      }
    } catch (error) {
      seen.lost.push(String(error))
    }
  }
}
