import { useQueryClient } from '@tanstack/react-query'
import type { ActivationRecord, ActivationReply } from '#contract/activation.ts'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import { outcomeOfFailure } from '#web/buying/press/purchase-outcome.ts'
import { useAppContext, useConfirm, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { standIn } from '#web/numbers/list/ticket-places.ts'
import { refetch } from '#web/session/refetch.ts'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { laterTranslator } from '#web/text/later-translator.ts'

/** Replaces a number, after a confirmation of a changed price. Callers show failures other than NO_NUMBERS. */
export function useReplace(): (record: ActivationRecord) => Promise<void> {
  const app = useAppContext()
  const user = useUser()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pay } = usePaidCall<ActivationReply>()

  return async (record) => {
    const { id, currency } = record
    const t = await laterTranslator(app, 'ticketCalls')
    const money = (amount: string) => formatMoney(amount, currency, app.language.get().locale)
    let { price } = record
    let question = { text: t('confirm.replace'), action: t('agree.replace'), force: false }
    for (;;) {
      if (!(await confirm(question))) return
      try {
        const agreed = price
        const reply = await pay({
          about: `replace-${id}`,
          send: (idempotencyKey) =>
            app.api('POST /api/v1/activations/{id}/replace', { id, price: agreed }, { idempotencyKey }),
        })
        if (reply === null) return
        standIn(queryClient, record, reply.data)
        keepFocus(reply.data.id)
        return inBackground(refetch(queryClient, { queryKey: ['user'] }))
      } catch (error) {
        const outcome = outcomeOfFailure(error, { price, balance: user?.balance ?? null, currency })
        if (outcome.kind === 'unknown') return app.alerts.add({ type: 'error', text: t('unknown') })
        if (outcome.kind === 'no-numbers') {
          const cancelled = error instanceof CallError && error.data.cancelled !== undefined
          app.alerts.add({ type: 'info', text: t(cancelled ? 'replacedNone' : 'replaceNone') })
          if (cancelled) await showEnd(id)
          return
        }
        if (outcome.kind !== 'price-changed') throw error
        price = outcome.price
        const text = t('replacePrice', { price: money(price), before: money(record.price) })
        question = { text, action: t('replaceFor', { price: money(price) }), force: true }
      }
    }
  }

  async function showEnd(id: number): Promise<void> {
    const { data } = await app.api('GET /api/v1/activations/{id}', { id })
    applyRecordToCache(queryClient, 'activation', data)
    inBackground(refetch(queryClient, { queryKey: ['user'] }))
  }
}

/**
 * The time to restore the focus, in frames (about a second). Reply, old ticket's end and new ticket come within it, in
 * any order.
 */
const FRAMES_KEPT = 60

/** Restores the focus after updates that may remove the focused button, unless the user has moved the focus. */
function keepFocus(id: number, framesLeft = FRAMES_KEPT): void {
  requestAnimationFrame(() => {
    const focused = document.activeElement
    if (focused !== document.body && focused?.closest('[data-activation]') === null) return
    if (focused === document.body) {
      document
        .querySelector<HTMLElement>(`[data-activation="${id}"] [data-stub-button]`)
        ?.focus({ preventScroll: true })
    }
    if (framesLeft > 0) keepFocus(id, framesLeft - 1)
  })
}
