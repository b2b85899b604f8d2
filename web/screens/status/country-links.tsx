import { useTranslations } from 'use-intl'
import type { StatusReply } from '#contract/status/status.ts'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { StateMark } from './state-mark.tsx'

/** More links of a country are counted in words alone. */
const MOST_HOLES = 8

export function CountryLinks({ links }: Pick<StatusReply, 'links'>) {
  const t = useTranslations('status')
  if (links.length === 0) return <p className="mt-3 text-muted">{t('linksNone')}</p>
  return (
    <ul className="mt-4 grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
      {links.map(({ id, name, iso2, up, total }) => (
        <li key={id} className="flex min-h-11 items-center gap-2.5 border-b border-hairline">
          <Flag iso2={iso2} />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {up < total ? <StateMark state={up === 0 ? 'down' : 'partly'} size={16} /> : null}
          {total > MOST_HOLES ? null : (
            <span aria-hidden className="status-holes" style={{ '--up': up, '--total': total }} />
          )}
          <span className="tabular text-[13px] text-muted">{t('linksOf', { up, total })}</span>
        </li>
      ))}
    </ul>
  )
}
