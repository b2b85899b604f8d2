import { createHash } from 'node:crypto'
import { MINUTE } from '#contract/time.ts'
import type { Clock } from '#server/house/clock.ts'
import type { ReceivedPart } from './wire/read-message.ts'

/**
 * Remembers one-part messages whose acknowledgement may have been lost with the session. SMPP gives messages no id, so
 * only this memory tells a repeat from a second message with an equal text.
 */
export type LostAnswers = {
  note(part: ReceivedPart, at: Date): void
  /** Returns the period in which a message may have been stored before, or null for a new message. */
  storedWithin(part: ReceivedPart): { from: Date; to: Date } | null
}

const KEEP_MS = 10 * MINUTE
const MAX_NOTED = 10_000
/** The time within which an arrived message is stored, or else never. */
const STORING_MS = MINUTE
/** The time after a start in which any message may be a repeat, because earlier sessions are unknown. */
const FRESH_MS = 5 * MINUTE

type Noted = { from: number; to: number }

export function createLostAnswers(clock: Clock): LostAnswers {
  const startedAt = clock.now().getTime()
  const noted = new Map<string, Noted>()
  return {
    note(part, at) {
      const key = keyOf(part)
      // If a repeat's session is lost too, the message may still have been stored at its first arrival.
      const from = noted.get(key)?.from ?? at.getTime() - 1
      noted.delete(key)
      noted.set(key, { from, to: at.getTime() + STORING_MS })
      if (noted.size <= MAX_NOTED) return
      for (const oldest of noted.keys()) {
        noted.delete(oldest)
        return
      }
    },
    storedWithin(part) {
      const now = clock.now().getTime()
      const found = noted.get(keyOf(part))
      if (found !== undefined && found.to > now - KEEP_MS) return spanOf(found)
      return now < startedAt + FRESH_MS ? spanOf({ from: startedAt - KEEP_MS, to: startedAt }) : null
    },
  }
}

function spanOf({ from, to }: Noted): { from: Date; to: Date } {
  return { from: new Date(from), to: new Date(to) }
}

function keyOf({ phone, sender, dataCoding, body }: ReceivedPart): string {
  return createHash('sha256')
    .update(JSON.stringify([phone, sender, dataCoding]))
    .update(body)
    .digest('base64url')
}
