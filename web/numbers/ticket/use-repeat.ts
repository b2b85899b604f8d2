import { useQueryClient } from '@tanstack/react-query'
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
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { laterTranslator } from '#web/text/later-translator.ts'

export type RepeatSource = Pick<HistoryItem, 'id' | 'service' | 'country' | 'operator' | 'phone' | 'price' | 'currency'>

/** Repeats a purchase after the user has confirmed today's price. The caller shows failures. */
export function useRepeat(): (source: RepeatSource) => Promise<void> {
  const app = useAppContext()
  const user = useUser()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const showTicket = useShowTicket()
  const { pay } = usePaidCall<ActivationReply>()

  return async (source) => {
    const { id, service, country, currency } = source
    const t = await laterTranslator(app, 'ticketCalls')
    const names = { service: service.name, phone: formatPhone(source.phone ?? '', country.dial) }
    let price = await priceNow(app.api, source)
    let question = t('repeatAsk', names)
    for (;;) {
      const shown = formatMoney(price, currency, app.language.get().locale)
      if (!(await confirm({ text: question, action: t('repeatFor', { price: shown }), force: true }))) return
      try {
        const agreed = price
        const reply = await pay({
          about: `repeat-${id}`,
          send: (idempotencyKey) =>
            app.api('POST /api/v1/activations/{id}/repeat', { id, price: agreed }, { idempotencyKey }),
        })
        if (reply === null) return
        applyRecordToCache(queryClient, 'activation', reply.data)
        inBackground(refetch(queryClient, { queryKey: ['user'] }))
        return showTicket('activation', reply.data.id)
      } catch (error) {
        const outcome = outcomeOfFailure(error, { price, balance: user?.balance ?? null, currency })
        if (outcome.kind === 'unknown') return app.alerts.add({ type: 'error', text: t('unknown') })
        if (outcome.kind !== 'price-changed') throw error
        price = outcome.price
        question = t('repeatPrice', { ...names, price: formatMoney(price, currency, app.language.get().locale) })
      }
    }
  }
}

/** Returns today's price, or the old price without stock, because a repeat buys the same number. */
async function priceNow(api: Api, { service, country, operator, price }: RepeatSource): Promise<string> {
  const ofOperator = operator === null ? {} : { operator_id: operator }
  const { data } = await api('GET /api/price', { service_id: service.id, country_id: country.id, ...ofOperator })
  return data.price ?? price
}
