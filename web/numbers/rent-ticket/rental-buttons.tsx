import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { STUB_BUTTONS, StubButton } from '#web/ui/stub-button.tsx'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { type RentalAction, rentalActions } from './rental-actions.ts'
import { useRentalCall } from './use-rental-call.ts'

export function RentalButtons({ record, dismissible }: { record: RentalRecord; dismissible: boolean }) {
  const t = useTranslations('rent')
  const { pending, run } = useRentalCall(record)
  // The hook selects a JSON string, so the component renders only if a shown second or an action changes.
  const offered = useAtNow((nowMs) => JSON.stringify(rentalActions(record, nowMs)))
  // The cast is safe, because the line above made the JSON string.
  const actions = (JSON.parse(offered) as RentalAction[]).filter(({ verb }) => dismissible || verb !== 'dismiss')
  if (actions.length === 0) return null
  return (
    <div className={STUB_BUTTONS}>
      {actions.map(({ verb, closesInSeconds }) => {
        const time = closesInSeconds === null ? null : formatSeconds(closesInSeconds)
        return (
          <StubButton
            key={verb}
            closed={pending}
            tip={time === null ? undefined : t('cancelFree', { time })}
            onPress={() => run(verb)}
          >
            {t(`action.${verb}`)}
            {time === null ? null : <span className="tabular text-muted">{time}</span>}
          </StubButton>
        )
      })}
    </div>
  )
}
