import { Mail, Send } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { loadDocument } from '#web/reading/load-document.ts'
import { TextPage } from '#web/reading/text-page.tsx'

export async function loader({ api }: LoaderInput) {
  const [text, { contacts }] = await Promise.all([loadDocument(api, 'contacts'), api('GET /api/v1/programmes', {})])
  return { text, contacts }
}

export function Page() {
  const t = useTranslations('content')
  const { text, contacts } = useScreenData<typeof loader>()
  const { email, telegram } = contacts
  return (
    <>
      <PageHead title={text.title} description={text.description} />
      <TextPage
        text={text}
        drawing="envelope"
        byline={
          <span className="flex flex-wrap gap-3 text-[17px] text-ink">
            {email === null ? null : (
              <a href={`mailto:${email}`} className={LINK} aria-label={t('writeTo', { address: email })}>
                <Mail size={18} aria-hidden /> {email}
              </a>
            )}
            {telegram === null ? null : (
              <a href={`https://t.me/${telegram}`} rel="noopener" className={LINK}>
                <Send size={18} aria-hidden /> @{telegram}
              </a>
            )}
          </span>
        }
      />
    </>
  )
}

const LINK =
  'inline-flex min-h-11 items-center gap-2.5 rounded border border-edge bg-surface px-4 font-medium hover:bg-sunken'
