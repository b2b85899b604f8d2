import { useTranslations } from 'use-intl'
import type { ShownSupplier } from '#contract/staff/supply.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

const LOOKS = {
  down: 'bg-error-wash text-error',
  aside: 'bg-error-wash text-error',
  paused: 'bg-soon-wash text-soon',
  working: 'bg-received-wash text-received',
} as const

type Standing = { state: keyof typeof LOOKS; since: string | null }

/** Returns a supplier's state: first the operator's pause, then an automatic pause, then the connection's state. */
export function standingOf({ paused_since: pausedSince, aside, link }: ShownSupplier): Standing {
  if (pausedSince !== null) return { state: 'paused', since: pausedSince }
  if (aside !== null) return { state: 'aside', since: aside.since }
  if (link !== null && !link.up) return { state: 'down', since: link.since }
  return { state: 'working', since: null }
}

export function byTrouble(one: ShownSupplier, other: ShownSupplier): number {
  return troubleOf(other) - troubleOf(one)
}

function troubleOf(supplier: ShownSupplier): number {
  const { state } = standingOf(supplier)
  if (state === 'aside' || state === 'down') return 3
  if (supplier.alarms.some(({ since }) => since !== null)) return 2
  return state === 'paused' ? 1 : 0
}

export function StandingMark({ supplier }: { supplier: ShownSupplier }) {
  const t = useTranslations('supply')
  const { state, since } = standingOf(supplier)
  return (
    <span className={`rounded-full px-2.5 text-sm leading-6 font-semibold ${LOOKS[state]}`}>
      {t(`states.${state}`)}
      {since === null ? null : (
        <>
          {` ${t('since')} `}
          <LocalMoment at={since} />
        </>
      )}
    </span>
  )
}

export function StandingText({ supplier }: { supplier: ShownSupplier }) {
  const t = useTranslations('supply')
  const { aside, link } = supplier
  const isSaid = standingOf(supplier).state === 'down'
  return (
    <>
      {aside === null ? null : (
        <p className="text-sm wrap-anywhere">
          {aside.reason} · <span className="text-muted">{t('tryAt')}</span> <LocalMoment at={aside.try_at} />
        </p>
      )}
      {link === null || isSaid ? null : (
        <p className={`text-sm ${link.up ? 'text-muted' : 'text-error'}`}>
          {link.up ? t('linkUp') : t('states.down')} {t('since')} <LocalMoment at={link.since} />
        </p>
      )}
    </>
  )
}
