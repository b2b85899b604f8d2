import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SupplierReply } from '#contract/staff/supply.ts'
import { useApi } from '#web/house/app-context.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

const KINDS = [
  ...(['link-up', 'link-down', 'set-aside', 'trial-failed', 'returned', 'restored'] as const),
  ...(['paused', 'resumed', 'number-aside', 'numbers-resumed', 'rating-low', 'rating-enough'] as const),
]
const BAD: readonly string[] = ['link-down', 'set-aside', 'trial-failed'] satisfies (typeof KINDS)[number][]

type Event = SupplierReply['events'][number]
type Older = { events: readonly Event[]; next: number | null }

/** Lists a supplier's events, newest first. The page refetches the newest events, and loads older events once. */
export function Events({ code, newest }: { code: string; newest: SupplierReply }) {
  const t = useTranslations('supply.events')
  const api = useApi()
  const { pending, once } = useSingleFlight()
  const [older, setOlder] = useState<Older | null>(null)
  const titleId = useId()
  const known = new Set(newest.events.map(({ id }) => id))
  const events = [...newest.events, ...(older?.events ?? []).filter(({ id }) => !known.has(id))]
  const next = older === null ? newest.next : older.next
  async function showOlder(before: number): Promise<void> {
    const page = await api('GET /api/v1/staff/suppliers/{code}', { code, before })
    // Events that newer events push off the first page stay in view.
    setOlder({ events: [...(older?.events ?? newest.events), ...page.events], next: page.next })
  }
  return (
    <section aria-labelledby={titleId} className="rounded border border-hairline bg-surface p-4">
      <h2 id={titleId} className="font-semibold">
        {t('title')}
      </h2>
      {events.length === 0 ? <p className="mt-1 text-muted">{t('none')}</p> : null}
      <ol className="divide-y divide-hairline">
        {events.map((event) => (
          <li key={event.id} className="grid gap-x-4 py-2 sm:grid-cols-[9rem_1fr]">
            <LocalMoment at={event.at} withSeconds className="text-sm leading-6 text-muted" />
            <p className="min-w-0">
              <span className={`font-medium ${BAD.includes(event.kind) ? 'text-error' : ''}`}>
                {wordsOf(t, event.kind)}
              </span>
              {event.reason === '' ? null : <span className="block text-sm wrap-anywhere">{event.reason}</span>}
            </p>
          </li>
        ))}
      </ol>
      {next === null ? null : (
        <Button className="mt-2" aria-disabled={pending} onClick={() => once(() => showOlder(next))}>
          {t('older')}
        </Button>
      )}
    </section>
  )
}

function wordsOf(t: ReturnType<typeof useTranslations<'supply.events'>>, kind: string): string {
  const known = KINDS.find((one) => one === kind)
  return known === undefined ? kind : t(`kinds.${known}`)
}
