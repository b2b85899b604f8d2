import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { StatusReply } from '#contract/status/status.ts'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { StateMark } from './state-mark.tsx'

export function CodeShares({ services, countries }: Pick<StatusReply, 'services' | 'countries'>) {
  const t = useTranslations('status')
  if (services.length === 0 && countries.length === 0) return <p className="mt-3 text-muted">{t('codesNone')}</p>
  return (
    <div className="mt-4 grid gap-x-10 gap-y-6 lg:grid-cols-2">
      <Shares title={t('services')}>
        {services.map((row) => (
          <Share key={row.id} row={row} mark={<Mark service={row} />} />
        ))}
      </Shares>
      <Shares title={t('countries')}>
        {countries.map((row) => (
          <Share key={row.id} row={row} mark={<Flag iso2={row.iso2} />} />
        ))}
      </Shares>
    </div>
  )
}

function Shares({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="text-[13px] text-muted">{title}</h3>
      <ul>{children}</ul>
    </div>
  )
}

type Row = Pick<StatusReply['services'][number], 'name' | 'state' | 'share' | 'usual' | 'sample'>

function Share({ row, mark }: { row: Row; mark: ReactNode }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const { name, state, share, usual, sample } = row
  const size = sample === null ? '' : t('sample', { count: formatCount(sample, locale) })
  return (
    <li className="flex items-center gap-3 border-b border-hairline py-2.5">
      <span className="flex w-7 shrink-0 justify-center">{mark}</span>
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3">
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="truncate font-medium">{name}</span>
            {state === 'unknown' || state === 'working' ? null : (
              <>
                <StateMark state={state} size={16} />
                <span className="text-[13px] whitespace-nowrap max-sm:sr-only">{t(`state.${state}`)}</span>
              </>
            )}
          </span>
          <span className="tabular shrink-0 font-semibold">
            {share === null ? (
              <span className="font-normal text-muted">{t('tooFew')}</span>
            ) : (
              formatPercent(share, locale)
            )}
          </span>
        </p>
        <div
          aria-hidden
          className="status-share"
          data-state={state}
          style={{ '--share': share ?? 0, '--usual': usual ?? 0 }}
          data-usual={usual !== null || undefined}
        />
        <p className="tabular flex justify-between gap-3 text-[13px] text-muted">
          <span>{size}</span>
          <span>{usual === null ? '' : t('usual', { share: formatPercent(usual, locale) })}</span>
        </p>
      </div>
    </li>
  )
}
