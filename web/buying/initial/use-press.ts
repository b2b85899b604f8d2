import { useState } from 'react'
import type { Currency } from '#contract/money.ts'
import type { PurchaseOutcome } from '#web/buying/press/purchase-outcome.ts'
import { type AppContext, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { completeTexts } from '#web/text/complete-texts.tsx'

/** The idempotency key is valid only for this input of a purchase. */
export type Press<Input> = { input: Input; idempotencyKey: string }

type PressOptions<Input> = {
  /** `about` identifies the purchase. If it changes, the last outcome is cleared. */
  about: string
  send: (press: Press<Input>) => Promise<void>
  /** `ask` runs before the call. If it returns false, nothing is bought. */
  ask?: (input: Input, currency: Currency) => Promise<boolean>
  onDone: () => void
  /** `onSettled` runs after success and after failure, because money and stock may have changed. */
  onSettled: () => void
}

export type Pressing<Input> = {
  pending: boolean
  outcome: PurchaseOutcome | null
  press: (input: Input, currency: Currency) => void
}

/**
 * Makes a purchase on a press. A purchase without a reply is repeated with its idempotency key and input, even at a new
 * price, so that the server returns the first reply.
 */
export function usePress<Input extends { price: string }>(options: PressOptions<Input>): Pressing<Input> {
  const { about } = options
  const user = useUser()
  const fail = useFailure()
  const { pending, pay } = usePaidCall<true>()
  const [ended, setEnded] = useState<{ about: string; outcome: PurchaseOutcome } | null>(null)

  async function send(input: Input, idempotencyKey: string): Promise<true> {
    await options.send({ input, idempotencyKey })
    return true
  }
  async function judge(error: unknown, { price }: Input, currency: Currency): Promise<void> {
    const { outcomeOfFailure } = await reader()
    const outcome = outcomeOfFailure(error, {
      price,
      balance: user?.balance ?? null,
      currency,
      online: navigator.onLine,
    })
    setEnded({ about, outcome })
    if (!isSaidByButton(outcome)) fail(error)
  }
  async function run(input: Input, currency: Currency): Promise<void> {
    if (pending !== null) return
    setEnded(null)
    try {
      // The module that explains outcomes loads before the purchase, because it must explain a lost connection, too.
      await reader()
      if ((await options.ask?.(input, currency)) === false) return
      const sent = await pay({ about, send: (key) => send(input, key) })
      if (sent !== null) options.onDone()
    } catch (error) {
      await judge(error, input, currency).catch(() => fail(error))
    } finally {
      options.onSettled()
    }
  }

  return {
    pending: pending !== null,
    outcome: ended?.about === about ? ended.outcome : null,
    press: (input, currency) => inBackground(run(input, currency)),
  }
}

const reader = () => import('#web/buying/press/purchase-outcome.ts')
export const asker = () => import('#web/buying/press/ask-first.ts')

/** Preloads all scripts and interface texts of a purchase, because the network may be lost during the purchase. */
export async function preparePress(app: AppContext): Promise<void> {
  const sending = import('#web/live/apply-to-cache.ts')
  await Promise.all([sending, reader(), import('#web/buying/press/press-note.tsx'), asker(), completeTexts(app)])
}

/** Returns true if a note at the button shows the outcome; false if an alert or the top-up page does. */
export function isSaidByButton(outcome: PurchaseOutcome): boolean {
  switch (outcome.kind) {
    case 'price-changed':
    case 'no-numbers':
    case 'paused':
    case 'too-many-open':
    case 'spend-limit':
    case 'above-max':
    case 'offline':
      return true
    case 'no-balance':
    case 'unknown':
    case 'failed':
      return false
    default:
      return outcome satisfies never
  }
}
