import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { ActivationReply } from '#contract/activation.ts'
import type { Api } from '#contract/calls/calls.ts'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { HistoryItem } from '#contract/past/history.ts'
import { outcomeOfFailure } from '#web/buying/press/purchase-outcome.ts'
import { useShowTicket } from '#web/buying/press/use-show-ticket.ts'
import { useAppContext, useConfirm, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { refetch } from '#web/session/refetch.ts'
import { type Unanswered, usePaidCall } from '#web/session/use-paid-call.ts'
import { laterTranslator } from '#web/text/later-translator.ts'

export type RepeatSource = Pick<HistoryItem, 'id' | 'service' | 'country' | 'operator' | 'phone' | 'price' | 'currency'>

/**
 * Repeats a purchase after the user has confirmed today's price. `more` buys another number for the same service and
 * country. The caller shows failures.
 */
export function useRepeat(): (source: RepeatSource, verb?: 'repeat' | 'more') => Promise<void> {
  const app = useAppContext()
  const user = useUser()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const showTicket = useShowTicket()
  const { pay } = usePaidCall(unansweredOf(queryClient))

  return async (source, verb = 'repeat') => {
    const { id, service, country, currency } = source
    const t = await laterTranslator(app, 'ticketCalls')
    const names = {
      service: service.name,
      phone: formatPhone(source.phone ?? '', country.dial),
      country: country.name,
    }
    let price = await priceNow(app.api, source)
    let question = t(`${verb}Ask`, names)
    for (;;) {
      const shown = formatMoney(price, currency, app.language.get().locale)
      if (!(await confirm({ text: question, action: t('repeatFor', { price: shown }), force: true }))) return
      try {
        const agreed = price
        const reply = await pay({
          about: `${verb}-${id}`,
          send: (idempotencyKey) =>
            verb === 'more'
              ? app.api('POST /api/v1/activations', { ...pairOf(source), price: agreed }, { idempotencyKey })
              : app.api('POST /api/v1/activations/{id}/repeat', { id, price: agreed }, { idempotencyKey }),
        })
        if (reply === null) return
        applyRecordToCache(queryClient, 'activation', reply.data)
        inBackground(refetch(queryClient, { queryKey: ['user'] }))
        return showTicket('activation', reply.data.id)
      } catch (error) {
        const outcome = outcomeOfFailure(error, { price, balance: user?.balance ?? null, currency })
        if (outcome.kind === 'unknown') return app.alerts.add({ type: 'error', text: t('unknown') })
        if (outcome.kind === 'no-numbers') return app.alerts.add({ type: 'info', text: t(`${verb}None`) })
        if (outcome.kind !== 'price-changed') throw error
        price = outcome.price
        question = t(`${verb}Price`, { ...names, price: formatMoney(price, currency, app.language.get().locale) })
      }
    }
  }
}

/** A ticket becomes a row while its repeat is under way, so the page keeps the calls without an answer. */
const unansweredRepeats = new WeakMap<QueryClient, Unanswered<ActivationReply>>()

function unansweredOf(queryClient: QueryClient): Unanswered<ActivationReply> {
  const known = unansweredRepeats.get(queryClient) ?? new Map()
  unansweredRepeats.set(queryClient, known)
  return known
}

/** Returns today's price, or the old price without stock, because a repeat buys the same number. */
async function priceNow(api: Api, source: RepeatSource): Promise<string> {
  const { data } = await api('GET /api/price', pairOf(source))
  return data.price ?? source.price
}

function pairOf({ service, country, operator }: RepeatSource) {
  const ofOperator = operator === null ? {} : { operator_id: operator }
  return { service_id: service.id, country_id: country.id, ...ofOperator }
}
