import { createHash } from 'node:crypto'
import { MINUTE } from '#contract/time.ts'
import type { Clock } from '#server/clock.ts'
import type { ReceivedPart } from './wire/read-message.ts'

/**
 * Messages of one part that the peer may send again, because their session broke off before it surely had our answer. SMPP
 * gives them no id, so that only this tells a repeat from a second message with the same words.
 */
export type LostAnswers = {
  /** Our answer to what arrived at `at` may not have come through. */
  note(part: ReceivedPart, at: Date): void
  /** After and until when this very message may have been stored before; null: it is a new one. */
  storedWithin(part: ReceivedPart): { from: Date; to: Date } | null
}

/** Peers that try again after so long have given up long before. */
const KEEP_MS = 10 * MINUTE
const MAX_NOTED = 10_000
/** A message is stored this soon after it arrived, or not at all. */
const STORING_MS = MINUTE
/** After a start, what an earlier process took in may come again: nobody is left who knows of its sessions. */
const FRESH_MS = 5 * MINUTE

type Noted = { from: number; to: number }

export function createLostAnswers(clock: Clock): LostAnswers {
  const startedAt = clock.now().getTime()
  const noted = new Map<string, Noted>()
  return {
    note(part, at) {
      const key = keyOf(part)
      // Lost twice, the message still stands where it was stored first.
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
