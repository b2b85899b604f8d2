import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { type Currency, formatMoney } from '#contract/money.ts'
import type { CardNumber, StaffTicket, TimelineReply } from '#contract/staff/staff-room.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

const STATES: readonly CardNumber['state'][] = [
  ...(['reserving', 'waiting', 'received', 'waiting_again', 'finished', 'cancelled'] as const),
  ...(['expired', 'used', 'failed', 'active', 'revoked'] as const),
]
const HAPPENINGS = [
  ...(['hold', 'capture', 'release', 'refund', 'message', 'refunded', 'extended'] as const),
  ...(['attempt-left', 'extension-refused'] as const),
]
const DEEDS = {
  'staff.ticket:refund': 'refund',
  'staff.order:refund': 'refundByCommand',
  'staff.message:attach': 'message',
} as const
const isDeed = (what: string): what is keyof typeof DEEDS => Object.hasOwn(DEEDS, what)

export function Timeline({ ticket, number }: { ticket: StaffTicket; number: CardNumber }) {
  const t = useTranslations('staff')
  const api = useApi()
  const input = { id: ticket.id, kind: number.kind, order: number.id }
  const { data, isError, refetch } = useQuery({
    queryKey: ['staff-timeline', input, number.state, number.refunded],
    queryFn: ({ signal }) => api('GET /api/v1/staff/tickets/{id}/timeline', input, { signal }),
  })
  if (isError) return <TextButton onClick={() => inBackground(refetch())}>{t('card.timelineFailed')}</TextButton>
  if (data === undefined) return <Skeleton className="h-24" />
  return (
    <ol className="mt-1 grid gap-1 border-l-2 border-hairline pl-3 text-sm">
      {data.data.map((line, place) => (
        <li key={line.key} className="flex flex-wrap justify-between gap-x-3">
          <Words line={line} currency={ticket.buyer.currency} />
          <LocalMoment at={line.at} withSeconds={sharesMinute(data.data, place)} className="text-muted" />
        </li>
      ))}
    </ol>
  )
}

type Line = TimelineReply['data'][number]

function Words({ line: { what, amount, by }, currency }: { line: Line; currency: Currency }) {
  const t = useTranslations('staff')
  const locale = useLocale()
  if (what.startsWith('staff.')) {
    const money = amount === null ? '' : formatMoney(amount, currency, locale)
    return (
      <span>
        {isDeed(what) ? t(`deeds.${DEEDS[what]}`, { name: by ?? '', money }) : `${by}: ${what.slice('staff.'.length)}`}
      </span>
    )
  }
  return (
    <span>
      {wordsOf(t, what)}
      {amount === null ? null : (
        <>
          {' '}
          <Price amount={amount} currency={currency} />
        </>
      )}
    </span>
  )
}

/** Returns true if the event before or after falls in the same minute. Then the list shows seconds. */
function sharesMinute(lines: readonly Line[], place: number): boolean {
  const minute = lines[place]?.at.slice(0, 16)
  return [lines[place - 1], lines[place + 1]].some((line) => line?.at.slice(0, 16) === minute)
}

function wordsOf(t: ReturnType<typeof useTranslations<'staff'>>, what: string): string {
  const [kind = '', name = kind] = what.split('.')
  const state = STATES.find((one) => one === name)
  if (state !== undefined) return t(`orders.${state}`)
  const happening = HAPPENINGS.find((one) => one === name)
  return happening === undefined ? what : t(`timeline.${happening}`)
}
