import type { ActivationRecord } from '#contract/activation.ts'
import { type AppContext, type Question, useAppContext } from '#web/app-context.ts'
import { ACTIVATIONS } from '#web/numbers/list/number-kind.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import type { TicketVerb } from './ticket-actions.ts'
import { useNumberCall } from './use-number-call.ts'
import { useRepeat } from './use-repeat.ts'
import { useReplace } from './use-replace.ts'

export function useTicketCall(record: ActivationRecord): { pending: boolean; run: (verb: TicketVerb) => void } {
  const app = useAppContext()
  const { pending, run, attempt, dismiss } = useNumberCall(ACTIVATIONS, record)
  const repeat = useRepeat()
  const replace = useReplace()

  function runVerb(verb: TicketVerb): void {
    if (verb === 'dismiss') dismiss()
    else if (verb === 'repeat') attempt(() => repeat(record))
    else if (verb === 'replace') attempt(() => replace(record))
    else {
      run({
        // Another code costs nothing and ends nothing. The other actions cannot be undone.
        question: verb === 'again' ? null : () => questionBefore(app, verb),
        send: (api, id, idempotencyKey) => api(`POST /api/v1/activations/{id}/${verb}`, { id }, { idempotencyKey }),
      })
    }
  }
  return { pending, run: runVerb }
}

async function questionBefore(app: AppContext, verb: 'cancel' | 'used' | 'finish'): Promise<Question> {
  const t = await laterTranslator(app, 'ticketCalls')
  return { text: t(`confirm.${verb}`), action: t(`agree.${verb}`) }
}
