import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Api, CallError } from '#contract/calls/calls.ts'
import { type Question, useApi, useConfirm } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { newId } from '#web/house/new-id.ts'
import { dismissTicket } from '#web/live/apply-to-cache.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from '#web/numbers/list/number-kind.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'

type NumberCall<Item> = {
  /** The question that the user must confirm before the call; null if the call loses nothing. */
  question: Question | (() => Promise<Question>) | null
  send: (api: Api, id: number, idempotencyKey: string) => Promise<{ data: Item }>
}

export function useNumberCall<Item extends NumberRecord>(
  kind: NumberKind<Item>,
  { id }: Item,
): {
  pending: boolean
  run: (call: NumberCall<Item>) => void
  attempt: (act: () => Promise<void>) => void
  dismiss: () => void
} {
  const api = useApi()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  const busy = useRef(false)

  async function callOnce({ question, send }: NumberCall<Item>): Promise<void> {
    const asked = typeof question === 'function' ? await question() : question
    if (asked !== null && !(await confirm(asked))) return
    const { data } = await send(api, id, newId())
    kind.apply(queryClient, data)
    inBackground(refetch(queryClient, { queryKey: ['user'] }))
  }

  async function attempt(act: () => Promise<void>): Promise<void> {
    if (busy.current) return
    busy.current = true
    setPending(true)
    try {
      await act()
    } catch (error) {
      fail(error)
      if (isOutdated(error)) inBackground(reload())
    } finally {
      busy.current = false
      setPending(false)
    }
  }

  async function reload(): Promise<void> {
    try {
      kind.apply(queryClient, (await kind.loadOne(api, id)).data)
    } catch (error) {
      fail(error)
    }
  }

  return {
    pending,
    run: (call) => inBackground(attempt(() => callOnce(call))),
    attempt: (act) => inBackground(attempt(act)),
    dismiss: () => dismissTicket(queryClient, kind.name, id),
  }
}

/** Returns true for a 409 conflict. The ticket must then be fetched again, because it has changed. */
function isOutdated(error: unknown): boolean {
  return error instanceof CallError && error.httpStatus === 409 && error.code !== 'EARLY_CANCEL_DENIED'
}
