import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ActivationRecord, ActivationReply } from '#contract/activation.ts'
import { type Api, CallError } from '#contract/calls.ts'
import { useApi, useConfirm } from '../../frame.ts'
import { applyRecordToCache, dismissTicket } from '../../live/apply-to-cache.ts'
import { useFailure } from '../../session/failure.ts'
import { newId } from '../../session/new-id.ts'
import type { TicketVerb } from './ticket-actions.ts'

/** What a ticket's buttons do. One call at a time for each ticket; `pending` is the one under way. */
export function useTicketCall(record: ActivationRecord): {
  pending: TicketVerb | null
  run: (verb: TicketVerb) => void
} {
  const api = useApi()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const fail = useFailure()
  const t = useTranslations('ticket')
  const [pending, setPending] = useState<TicketVerb | null>(null)
  const busy = useRef(false)

  async function call(verb: Exclude<TicketVerb, 'dismiss'>): Promise<void> {
    if (busy.current) return
    busy.current = true
    try {
      // Another code costs nothing and ends nothing: the others cannot be undone.
      const agreed = verb === 'again' || (await confirm({ text: t(`confirm.${verb}`), action: t(`action.${verb}`) }))
      if (!agreed) return
      setPending(verb)
      const { data } = await callVerb(api, verb, record.id)
      applyRecordToCache(queryClient, data)
      void queryClient.invalidateQueries({ queryKey: ['user'] })
    } catch (error) {
      fail(error)
      if (isOutdated(error)) void reload(record.id)
    } finally {
      busy.current = false
      setPending(null)
    }
  }

  async function reload(id: number): Promise<void> {
    try {
      applyRecordToCache(queryClient, (await api('GET /api/v1/activations/{id}', { id })).data)
    } catch (error) {
      fail(error)
    }
  }

  return { pending, run: (verb) => (verb === 'dismiss' ? dismissTicket(queryClient, record.id) : void call(verb)) }
}

function callVerb(api: Api, verb: Exclude<TicketVerb, 'dismiss'>, id: number): Promise<ActivationReply> {
  return api(`POST /api/v1/activations/{id}/${verb}`, { id }, { idempotencyKey: newId() })
}

/** A conflict says that the ticket has become something else meanwhile: then it must show what. */
function isOutdated(error: unknown): boolean {
  return error instanceof CallError && error.httpStatus === 409 && error.code !== 'EARLY_CANCEL_DENIED'
}
