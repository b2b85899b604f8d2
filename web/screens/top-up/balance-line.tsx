import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { User } from '#contract/user.ts'
import { useUser } from '#web/house/app-context.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function BalanceLine() {
  const user = useUser()
  return (
    <p className="text-right leading-tight">
      {user === null ? <Skeleton className="h-7 w-32" /> : <Balances user={user} />}
    </p>
  )
}

function Balances({ user }: { user: User }) {
  const t = useTranslations('topUp')
  const locale = useLocale()
  const money = (amount: string) => formatMoney(amount, user.currency, locale)
  return (
    <>
      <span className="block text-sm text-muted">{t('balance')}</span>
      <span className="tabular block text-2xl font-semibold">{money(user.balance)}</span>
      {Number(user.held) === 0 ? null : (
        <span className="block text-sm text-muted">{t('held', { amount: money(user.held) })}</span>
      )}
      {Number(user.debt) === 0 ? null : (
        <span className="block text-sm text-error">{t('debt', { amount: money(user.debt) })}</span>
      )}
    </>
  )
}
