import { CalendarPlus, Check, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { type RentalAction, type RentalVerb, rentalActions } from '#web/numbers/rent-ticket/rental-actions.ts'
import { useRentalCall } from '#web/numbers/rent-ticket/use-rental-call.ts'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { type RowAction, RowButtons } from './row-buttons.tsx'

const ICONS: Record<RentalVerb, RowAction['Icon']> = { extend: CalendarPlus, cancel: X, finish: Check, dismiss: X }

type RentalRowButtonsProps = { record: RentalRecord; name: string; dismissible: boolean }

export function RentalRowButtons({ record, name, dismissible }: RentalRowButtonsProps) {
  const t = useTranslations('rent')
  const { pending, run } = useRentalCall(record)
  // The hook selects a JSON string, so the component renders only if a shown second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(rentalActions(record, nowMs)))
  // The cast is safe, because the line above made the JSON string.
  const actions = (JSON.parse(offered) as RentalAction[])
    .filter(({ verb }) => dismissible || verb !== 'dismiss')
    .map(({ verb, closesInSeconds }): RowAction => {
      const time = closesInSeconds === null ? undefined : formatSeconds(closesInSeconds)
      return {
        verb,
        label: t(`action.${verb}`),
        Icon: ICONS[verb],
        time,
        tip: time === undefined ? undefined : t('cancelFree', { time }),
        closed: pending,
        onPress: () => run(verb),
      }
    })
  return <RowButtons kind="rental" id={record.id} name={name} actions={actions} />
}
