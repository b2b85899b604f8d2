import { Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function Balance() {
  const t = useTranslations('header')
  const user = useUser()
  const { locale } = useStore(useAppContext().language)
  const topUp = routeNamed('top-up')
  const paysNow = user !== null && user.open_payments > 0
  return (
    <div className="flex items-center gap-1">
      <span className="sr-only">{t('balance')}</span>
      {user === null ? (
        <Skeleton className="h-5 w-24" />
      ) : (
        <span className="relative px-1 text-right whitespace-nowrap tabular">
          <Link
            to={`${routeNamed('history')?.path ?? '/'}?view=money`}
            title={t('toMoney')}
            className="relative block rounded font-semibold after:absolute after:inset-x-0 after:top-1/2 after:h-10 after:-translate-y-1/2 hover:underline"
          >
            <span data-balance>{formatMoney(user.balance, user.currency, locale)}</span>
          </Link>
          {/* The line takes no place, so that the header stays as it is when money is put on hold or charged. */}
          <span className="absolute top-full right-1 -mt-1 flex gap-2 text-xs leading-4 text-muted">
            {Number(user.held) === 0 ? null : (
              <span className={paysNow ? 'max-xl:hidden' : ''}>
                {t('held', { amount: formatMoney(user.held, user.currency, locale) })}
              </span>
            )}
            {paysNow && topUp !== undefined ? (
              <Link to={topUp.path} className="relative z-1 font-medium text-signal underline underline-offset-2">
                {t('openPayments', { count: user.open_payments })}
              </Link>
            ) : null}
          </span>
        </span>
      )}
      {topUp === undefined ? null : (
        <Link to={topUp.path} aria-label={t('topUp')} title={t('topUp')} className={ICON_BUTTON_LOOK}>
          <Plus size={18} aria-hidden />
        </Link>
      )}
    </div>
  )
}
