import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { SECOND } from '#contract/time.ts'
import { useUser } from '#web/house/app-context.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'

/** A colleague is shown as writing for this time: twice the interval of the events, of which one may be lost. */
const SHOWN_MS = 9 * SECOND

type Writer = { id: number; name: string; told: number }

/** Names the colleagues who use the composer of this ticket. A name disappears if no further event comes. */
export function Writers({ ticketId }: { ticketId: number }) {
  const t = useTranslations('staff.reply')
  const me = useUser()?.id
  const [writers, setWriters] = useState<readonly Writer[]>([])
  useLiveEvent(({ name, payload }) => {
    // The message of the writing colleagues has arrived. If they continue to write, another event follows.
    if (name === 'StaffTicketChanged' && payload.ticketId === ticketId) setWriters([])
    if (name !== 'StaffWriting' || payload.ticketId !== ticketId || payload.by.id === me) return
    setWriters((before) => [
      ...before.filter(({ id }) => id !== payload.by.id),
      { ...payload.by, told: (before.find(({ id }) => id === payload.by.id)?.told ?? 0) + 1 },
    ])
  })
  return (
    <p role="status" className="min-h-5 text-sm font-medium text-soon">
      {writers.length === 0
        ? null
        : t('writing', { names: writers.map(({ name }) => name).join(', '), count: writers.length })}
      {writers.map(({ id, told }) => (
        <Ending key={`${id} ${told}`} onEnd={() => setWriters((now) => now.filter((writer) => writer.id !== id))} />
      ))}
    </p>
  )
}

function Ending({ onEnd }: { onEnd: () => void }) {
  const [end] = useState(() => onEnd)
  useEffect(() => {
    const timer = setTimeout(end, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [end])
  return null
}
