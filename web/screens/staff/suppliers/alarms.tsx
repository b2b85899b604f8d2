import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { SUPPLIER_ALARMS } from '#contract/mails.ts'
import type { ShownSupplier, SupplierAlarm } from '#contract/staff/supply.ts'
import { MUTE_HOURS } from '#contract/staff/supply-constants.ts'
import { useApi } from '#web/house/app-context.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { useSupplierChange } from './use-supplier-change.ts'

type Hours = (typeof MUTE_HOURS)[number]

export function Alarms({ supplier, isWatched }: { supplier: ShownSupplier; isWatched: boolean }) {
  const { code, alarms } = supplier
  const t = useTranslations('supply.alarms')
  const titleId = useId()
  const [hours, setHours] = useState<Hours>(MUTE_HOURS[1])
  return (
    <section aria-labelledby={titleId} className="rounded border border-hairline bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={titleId} className="font-semibold">
          {t('title')}
        </h2>
        <SelectBox
          label={t('label')}
          value={String(hours)}
          onChange={({ target }) => setHours(MUTE_HOURS.find((one) => String(one) === target.value) ?? hours)}
        >
          {MUTE_HOURS.map((one) => (
            <option key={one} value={one}>
              {t(`hours.${one}`)}
            </option>
          ))}
        </SelectBox>
      </div>
      {isWatched ? null : <p className="mt-1 text-sm text-muted">{t('unwatched')}</p>}
      <ul className="mt-2 divide-y divide-hairline">
        {SUPPLIER_ALARMS.map((kind) => (
          <AlarmLine
            key={kind}
            code={code}
            alarm={
              alarms.find((alarm) => alarm.kind === kind) ?? { kind, since: null, muted_until: null, muted_by: null }
            }
            hours={hours}
            isWatched={isWatched}
          />
        ))}
      </ul>
    </section>
  )
}

type AlarmLineProps = { code: string; alarm: SupplierAlarm; hours: Hours; isWatched: boolean }

function AlarmLine({ code, alarm, hours, isWatched }: AlarmLineProps) {
  const t = useTranslations('supply.alarms')
  const api = useApi()
  const { pending, change } = useSupplierChange()
  const { kind, since, muted_until: mutedUntil, muted_by: mutedBy } = alarm
  const name = t(`kinds.${kind}`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className={since === null ? '' : 'font-semibold text-error'}>{name}</p>
        <p className="text-sm text-muted">
          {since !== null ? (
            <>
              {t('stands')} <LocalMoment at={since} />
            </>
          ) : isWatched ? (
            t('quiet')
          ) : null}
        </p>
        {mutedUntil === null ? null : (
          <p className="text-sm text-muted">
            {t('mutedUntil')} <LocalMoment at={mutedUntil} />
          </p>
        )}
        {mutedBy === 'kind' ? <p className="text-sm text-muted">{t('mutedKind')}</p> : null}
      </div>
      {mutedBy === 'itself' ? (
        <Button
          aria-label={t('unmuteOf', { name })}
          aria-disabled={pending}
          onClick={() => change(() => api('POST /api/v1/staff/suppliers/{code}/unmute', { code, alarm: kind }))}
        >
          {t('unmute')}
        </Button>
      ) : (
        <Button
          aria-label={t('muteOf', { name })}
          aria-disabled={pending}
          onClick={() => change(() => api('POST /api/v1/staff/suppliers/{code}/mute', { code, alarm: kind, hours }))}
        >
          {t('mute')}
        </Button>
      )}
    </li>
  )
}
