import { useTranslations } from 'use-intl'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { loadDocument } from '#web/screens/documents/load-document.ts'
import { PageHead } from '#web/ui/page-head.tsx'

export async function loader({ api }: LoaderInput) {
  const [text, { referral }] = await Promise.all([loadDocument(api, 'partners'), api('GET /api/v1/programmes', {})])
  return { text, referral }
}

/** /partners */
export function Page() {
  const t = useTranslations('programmes')
  const { text, referral } = useScreenData<typeof loader>()
  return (
    <>
      <PageHead title={text.title} description={text.description} />
      <TextPage text={text}>
        <section className="mt-10 max-w-2xl rounded border border-hairline bg-surface p-5">
          <h2 className="text-lg font-semibold tracking-tight">{t('referralTitle')}</h2>
          <p className="mt-1">{referral === null ? t('referralNone') : t('referral', referral)}</p>
        </section>
      </TextPage>
    </>
  )
}
