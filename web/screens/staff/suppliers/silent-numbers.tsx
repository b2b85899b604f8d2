import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { SupplierReply } from '#contract/staff/supply.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function SilentNumbers({ silent: { data, has_more: hasMore } }: { silent: SupplierReply['silent'] }) {
  const t = useTranslations('supply.silent')
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="rounded border border-hairline bg-surface p-4">
      <h2 id={titleId} className="font-semibold">
        {t('title')}
      </h2>
      {data.length === 0 ? <p className="mt-1 text-sm text-muted">{t('none')}</p> : null}
      <ul className="divide-y divide-hairline">
        {data.map(({ phone, sales, since }) => (
          <li key={phone} className="flex flex-wrap justify-between gap-x-3 py-2">
            <span className="font-mono">{phone}</span>
            <LocalMoment at={since} className="text-muted" />
            <span className="w-full text-sm text-muted">{t('line', { count: sales })}</span>
          </li>
        ))}
      </ul>
      {hasMore ? <p className="mt-2 text-sm text-muted">{t('more')}</p> : null}
    </section>
  )
}
