import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Withdrawal } from '#contract/programmes/referral.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { Pages } from './pages.tsx'
import { type ReferralSeed, useWithdrawals } from './use-referral.ts'

export function Withdrawals({ seed }: { seed: ReferralSeed }) {
  const t = useTranslations('referral')
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState('')
  const { data, meta } = useWithdrawals(seed, { page, search })
  const isSearched = search !== ''
  if (meta.total === 0 && !isSearched) return null
  return (
    <section className="mt-10" aria-labelledby="withdrawals">
      <h3 id="withdrawals" className="text-lg font-semibold">
        {t('withdrawals')}
      </h3>
      {meta.last_page > 1 || isSearched ? (
        <SearchField
          label={t('search')}
          className="mt-2 max-w-md"
          search={search}
          onSearch={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      ) : null}
      {data.length === 0 ? <p className="mt-3 text-muted">{t('nothingFound')}</p> : null}
      <ul className="mt-2 overflow-hidden rounded border border-hairline bg-surface empty:hidden">
        {data.map((withdrawal) => (
          <Row key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      <Pages page={page} last={meta.last_page} onPage={setPage} />
    </section>
  )
}

function Row({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useTranslations('referral')
  const locale = useLocale()
  const { to, network_name: network, address, tx, state, amount, currency, created_at: at } = withdrawal
  return (
    <li className="flex items-start gap-3 border-hairline px-4 py-3 not-first:border-t">
      <div className="min-w-0 grow">
        <p className="font-medium">{to === 'balance' ? t('to.balance') : network}</p>
        {address === null ? null : <p className="font-mono text-sm break-all">{address}</p>}
        {tx === null ? null : <p className="text-sm break-all text-muted">{t('tx', { tx })}</p>}
        <p className="text-sm text-muted">
          <LocalMoment at={at} />
        </p>
      </div>
      <div className="text-right">
        <p className="tabular font-semibold whitespace-nowrap">{formatMoney(amount, currency, locale)}</p>
        <p className={`text-sm ${LOOKS[state]}`}>{t(`state.${state}`)}</p>
      </div>
    </li>
  )
}

const LOOKS: Record<Withdrawal['state'], string> = {
  asked: 'text-muted',
  approved: 'text-muted',
  paid: 'text-received',
  refused: 'text-error',
}
