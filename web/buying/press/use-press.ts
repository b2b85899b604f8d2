import { useState } from 'react'
import type { Currency } from '#contract/money.ts'
import { type AppContext, useUser } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { routeNamed } from '#web/routes.ts'
import { useFailure } from '#web/session/failure.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { completeTexts } from '#web/text/complete-texts.tsx'
import type { PurchaseOutcome } from './purchase-outcome.ts'

/** One press of a button that costs money: the key belongs to exactly this input. */
export type Press<Input> = { input: Input; idempotencyKey: string }

type PressOptions<Input> = {
  /** What would be paid for: an outcome is about that, and is gone when it changes. */
  about: string
  send: (press: Press<Input>) => Promise<void>
  /** After success. */
  onDone: () => void
  /** After either end: money and stock have changed, or are not what they seemed. */
  onSettled: () => void
}

export type Pressing<Input> = {
  pending: boolean
  /** How the last press for this very thing ended, when its button has to say something about it. */
  outcome: PurchaseOutcome | null
  press: (input: Input, currency: Currency) => void
}

/**
 * The button that pays: one press at a time, and what came of the last one. A press whose answer never came is sent again
 * by the next one, with its key and its input, whatever the price is by then: it brings the answer of the first.
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
      // Most visits end before a press. Fetched before it is sent: when the connection is lost it must be here.
      await reader()
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

const reader = () => import('./purchase-outcome.ts')

/** What a press needs, and what is said about it, must be here before: a lost network is one of the things to say. */
export async function preparePress(app: AppContext): Promise<void> {
  const sending = import('#web/live/apply-to-cache.ts')
  await Promise.all([sending, reader(), import('./press-note.tsx'), completeTexts(app)])
}

/** Whether the words beside the button are enough. Without money the person is led to the top-up page once there is one. */
function isSaidByButton(outcome: PurchaseOutcome): boolean {
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
      return routeNamed('top-up') === undefined
    case 'unknown':
    case 'failed':
      return false
    default:
      return outcome satisfies never
  }
}
