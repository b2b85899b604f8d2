import { useLocale, useTranslations } from 'use-intl'
import type { ProgrammesReply } from '#contract/content.ts'
import { formatMoney } from '#contract/money.ts'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { loadDocument } from '#web/screens/documents/load-document.ts'
import { PageHead } from '#web/ui/page-head.tsx'

export async function loader({ api }: LoaderInput) {
  const [text, { loyalty }] = await Promise.all([loadDocument(api, 'loyalty'), api('GET /api/v1/programmes', {})])
  return { text, loyalty }
}

/** /loyalty */
export function Page() {
  const t = useTranslations('programmes')
  const { text, loyalty } = useScreenData<typeof loader>()
  return (
    <>
      <PageHead title={text.title} description={text.description} />
      <TextPage text={text}>
        <section className="mt-10 max-w-2xl rounded border border-hairline bg-surface p-5">
          <h2 className="text-lg font-semibold tracking-tight">{t('loyaltyTitle')}</h2>
          {loyalty === null ? <p className="mt-1">{t('loyaltyNone')}</p> : <Ranks {...loyalty} />}
        </section>
      </TextPage>
    </>
  )
}

function Ranks({ currency, ranks }: NonNullable<ProgrammesReply['loyalty']>) {
  const t = useTranslations('programmes')
  const locale = useLocale()
  return (
    <table className="mt-3 w-full max-w-md">
      <thead className="text-left text-sm text-muted">
        <tr>
          <th scope="col" className="py-2 font-medium">
            {t('topUp')}
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            {t('back')}
          </th>
        </tr>
      </thead>
      <tbody>
        {ranks.map(({ top_up: topUp, percent }) => (
          <tr key={topUp} className="border-t border-hairline">
            <td className="tabular py-2.5">{t('from', { amount: formatMoney(topUp, currency, locale) })}</td>
            <td className="tabular py-2.5 text-right font-semibold">{t('percent', { percent })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
