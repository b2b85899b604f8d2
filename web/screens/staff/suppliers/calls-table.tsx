import { useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { SupplierReply } from '#contract/staff/supply.ts'
import { useMilliseconds } from './use-milliseconds.ts'

const CALLS = ['buy', 'rent', 'find', 'end', 'extend', 'refresh', 'balance'] as const

export function CallsTable({ calls }: { calls: SupplierReply['calls'] }) {
  const t = useTranslations('supply')
  const locale = useLocale()
  const inWords = useMilliseconds()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="rounded border border-hairline bg-surface p-4">
      <h2 id={titleId} className="font-semibold">
        {t('calls.title')}
      </h2>
      {calls.length === 0 ? (
        <p className="mt-1 text-muted">{t('calls.none')}</p>
      ) : (
        <table aria-labelledby={titleId} className="mt-2 w-full text-[15px] tabular">
          <thead className="text-left text-sm text-muted">
            <tr>
              <th className="py-1 font-normal">{t('calls.call')}</th>
              <th className="py-1 pl-2 text-right sm:pl-3 font-normal">{t('calls.count')}</th>
              <th className="py-1 pl-2 text-right sm:pl-3 font-normal">{t('calls.errors')}</th>
              <th className="py-1 pl-2 text-right sm:pl-3 font-normal max-sm:hidden">{t('calls.median')}</th>
              <th className="py-1 pl-2 text-right sm:pl-3 font-normal">{t('calls.p95')}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-hairline">
            {calls.map((line) => (
              <tr key={line.call}>
                <th className="py-1.5 text-left font-normal wrap-anywhere">{nameOf(t, line.call)}</th>
                <td className="py-1.5 pl-2 text-right sm:pl-3">{line.calls.toLocaleString(locale)}</td>
                <td className={`py-1.5 pl-2 text-right sm:pl-3 ${line.errors > 0 ? 'font-semibold text-error' : ''}`}>
                  {line.errors.toLocaleString(locale)}
                </td>
                <td className="py-1.5 pl-2 text-right sm:pl-3 max-sm:hidden">{inWords(line.median_ms)}</td>
                <td className="py-1.5 pl-2 text-right sm:pl-3">{inWords(line.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function nameOf(t: ReturnType<typeof useTranslations<'supply'>>, call: string): string {
  const known = CALLS.find((one) => one === call)
  return known === undefined ? call : t(`callNames.${known}`)
}
