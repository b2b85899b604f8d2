import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Statement } from '#contract/past/history.ts'
import { isNothing, signed } from '../money/signed.ts'
import { movementWord } from './movement-word.ts'

export function StatementSums({ statement }: { statement: Statement }) {
  const t = useTranslations('history.statement')
  const kinds = useTranslations('history.movement')
  const locale = useLocale()
  const { opening, closing, sums, charged, currency } = statement
  const money = (amount: string) => formatMoney(amount, currency, locale)
  return (
    <>
      <table className="sheet-table mt-5">
        <caption className="sr-only">{t('sums')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col" data-amount>
              {t('times')}
            </th>
            <th scope="col" data-amount>
              {t('amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Line name={t('opening')} amount={money(opening.available)} isTotal />
          {sums.map(({ kind, in: came, out, count }) => (
            <Line
              key={kind}
              name={kinds(movementWord(kind))}
              count={count}
              amount={signed(isNothing(came) ? `-${out}` : came, currency, locale)}
            />
          ))}
          {sums.length === 0 ? <Line name={t('nothing')} amount={money('0.00')} /> : null}
          <Line name={t('closing')} amount={money(closing.available)} isTotal />
        </tbody>
      </table>
      <dl className="sheet-facts mt-5 text-[15px]">
        <Fact name={t('charged', { count: charged.count })} text={money(charged.amount)} />
        <Fact name={t('held')} text={money(closing.held)} />
        {isNothing(closing.debt) ? null : <Fact name={t('debt')} text={money(closing.debt)} />}
      </dl>
    </>
  )
}

type LineProps = { name: string; amount: string; count?: number; isTotal?: boolean }

function Line({ name, amount, count, isTotal = false }: LineProps) {
  return (
    <tr className={isTotal ? 'font-semibold' : ''}>
      <th scope="row">{name}</th>
      <td data-amount className="text-muted">
        {count ?? ''}
      </td>
      <td data-amount>{amount}</td>
    </tr>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular">{text}</dd>
    </div>
  )
}
