import type { ActivationRecord } from '#contract/activation.ts'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import { type AppContext, type Question, useAppContext } from '#web/house/app-context.ts'
import { ACTIVATIONS } from '#web/numbers/list/number-kind.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import type { TicketVerb } from './ticket-actions.ts'
import { useNumberCall } from './use-number-call.ts'
import { useRepeat } from './use-repeat.ts'
import { useReplace } from './use-replace.ts'

type Verb = TicketVerb | 'open' | 'not-my-code'

export function useTicketCall(record: ActivationRecord): { pending: boolean; run: (verb: Verb) => void } {
  const app = useAppContext()
  const { pending, run, attempt, dismiss } = useNumberCall(ACTIVATIONS, record)
  const repeat = useRepeat()
  const replace = useReplace()

  function runVerb(verb: Verb): void {
    if (verb === 'dismiss') dismiss()
    else if (verb === 'repeat' || verb === 'more') attempt(() => repeat(record, verb))
    else if (verb === 'replace') attempt(() => replace(record))
    else {
      run({
        // Waiting for another code costs nothing, so it needs no confirmation. All other actions cannot be undone.
        question: verb === 'again' ? null : () => questionBefore(app, verb, record),
        send: (api, id, idempotencyKey) => api(`POST /api/v1/activations/{id}/${verb}`, { id }, { idempotencyKey }),
      })
    }
  }
  return { pending, run: runVerb }
}

type Asked = 'cancel' | 'used' | 'finish' | 'open' | 'not-my-code'

async function questionBefore(app: AppContext, verb: Asked, record: ActivationRecord): Promise<Question> {
  const t = await laterTranslator(app, 'ticketCalls')
  const price = formatMoney(record.price, record.currency, app.language.get().locale)
  const phone = formatPhone(record.phone ?? '', record.country.dial)
  const text = t(`confirm.${verb}`, { price, phone, service: record.service.name })
  // A report always needs a confirmation, because code and number are lost and the number of reports is limited.
  return { text, action: t(`agree.${verb}`), force: verb === 'not-my-code' }
}
