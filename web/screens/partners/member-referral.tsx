import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Referral } from '#contract/programmes/referral.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { ShareDays } from './share-days.tsx'
import { type ReferralSeed, useReferral } from './use-referral.ts'
import { WithdrawForm } from './withdraw-form.tsx'
import { Withdrawals } from './withdrawals.tsx'

type MemberReferralProps = {
  seed: ReferralSeed
  children: ReactNode
}

export function MemberReferral({ seed, children }: MemberReferralProps) {
  const t = useTranslations('referral')
  const referral = useReferral(seed)
  const hasMoney = Number(referral.available) > 0
  return (
    <>
      <section className="max-w-3xl" aria-labelledby="own-link">
        <h2 id="own-link" className="text-xl font-semibold tracking-tight">
          {t('title')}
        </h2>
        <p className="mt-1 text-muted">{referral.percent === null ? t('closed') : t('lead')}</p>
        <div className="mt-4 flex items-center gap-1 rounded border border-edge bg-surface py-0.5 pr-0.5 pl-4">
          <p data-own-link className="min-w-0 grow py-1 font-mono text-[15px] wrap-anywhere select-all">
            {referral.link}
          </p>
          <CopyButton text={referral.link} label={t('copyLink')} />
        </div>
      </section>
      {children}
      <section className="mt-10 max-w-3xl" aria-labelledby="brought">
        <h2 id="brought" className="text-xl font-semibold tracking-tight">
          {t('sums')}
        </h2>
        <Figures referral={referral} />
        {referral.open_withdrawal === null && !hasMoney ? (
          <NothingYet referral={referral} />
        ) : (
          <WithdrawForm referral={referral} />
        )}
        <Withdrawals seed={seed} />
        <ShareDays seed={seed} currency={referral.currency} />
      </section>
    </>
  )
}

function NothingYet({ referral: { percent, networks, least, currency } }: { referral: Referral }) {
  const t = useTranslations('referral')
  const locale = useLocale()
  if (percent === null) return null
  return (
    <p className="mt-4 text-sm text-muted" data-nothing-yet>
      {networks.length === 0
        ? t('nothingToBalance')
        : t('nothingToAddress', { least: formatMoney(least, currency, locale) })}
    </p>
  )
}

function Figures({ referral }: { referral: Referral }) {
  const t = useTranslations('referral')
  const locale = useLocale()
  const { currency, pending, checking, available, withdrawn, invited, paying, most } = referral
  const money = (amount: string) => formatMoney(amount, currency, locale)
  const figures = [
    { name: t('pending'), amount: pending },
    { name: t('available'), amount: available },
    { name: t('withdrawn'), amount: withdrawn },
  ]
  return (
    <>
      <dl className="mt-4 grid overflow-hidden rounded border border-hairline bg-surface sm:grid-cols-3">
        {figures.map(({ name, amount }) => (
          <div
            key={name}
            className="flex items-baseline justify-between gap-3 border-hairline px-4 py-3 not-first:border-t sm:block sm:not-first:border-t-0 sm:not-first:border-l"
          >
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="tabular text-lg font-semibold whitespace-nowrap sm:text-xl">{money(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        {t('invited', { count: invited })} {invited === 0 ? null : t('paying', { count: paying })}{' '}
        {most === null ? null : t('most', { amount: money(most) })}
      </p>
      {Number(checking) === 0 ? null : (
        <p className="mt-1 text-sm text-muted">{t('checking', { amount: money(checking) })}</p>
      )}
    </>
  )
}
