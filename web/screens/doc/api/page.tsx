import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/app-context.ts'
import { DocLayout } from '#web/layouts/doc.tsx'
import type { LoaderInput } from '#web/loader-input.ts'
import type en from '#web/locales/en/later/site/reference.json'
import { Link } from '#web/navigation/link.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { breadcrumbList } from '#web/structured-data.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useEarlyText } from '#web/ui/fields/use-early-text.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { CallCard } from './call-card.tsx'
import { CodeBlock } from './code-block.tsx'
import { clientExample } from './examples.ts'

export async function loader({ api }: LoaderInput) {
  return (await api('GET /api/v1/reference', {})).data
}

/** /doc/api: every call that a program can make, from the OpenAPI document. */
export function Page() {
  const t = useTranslations('reference')
  const { publicUrl } = useAppContext().page
  const groups = useScreenData<typeof loader>()
  // It lives as long as the page is open, and nowhere else.
  const [apiKey, setApiKey] = useState('')
  const change = (text: string) => setApiKey(text.trim())
  const keyField = useEarlyText(apiKey, change)
  const crumbs = [
    { title: t('doc'), path: '/doc' },
    { title: t('title'), path: '/doc/api' },
  ]
  return (
    <DocLayout>
      <PageHead title={t('title')} description={t('description')} things={[breadcrumbList(publicUrl, crumbs)]} />
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-muted">{t('text')}</p>
      <div className="mb-5 max-w-2xl">
        <TextField
          ref={keyField}
          type="password"
          label={t('key')}
          autoComplete="off"
          spellCheck={false}
          value={apiKey}
          onChange={({ target }) => change(target.value)}
        />
        <p className="mt-1.5 text-sm text-muted">{t('keyText')}</p>
        <Link to="/settings/api" className={`inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
          {t('makeKey')}
        </Link>
        <noscript>
          <p className="text-sm text-muted">{t('noScripts')}</p>
        </noscript>
      </div>
      <CodeBlock title={t('client')} text={clientExample(publicUrl)} copyLabel={t('copyClient')} />
      {groups.map(({ tag, calls }) => (
        <section key={tag} className="mt-8" aria-labelledby={`group-${tag}`}>
          <h2 id={`group-${tag}`} className="mb-3 text-xl font-semibold tracking-tight">
            {/* A test holds the texts to the groups. */}
            {t(`groups.${tag as keyof (typeof en)['groups']}`)}
          </h2>
          <div className="grid gap-2">
            {calls.map((call) => (
              <CallCard key={call.id} call={call} site={publicUrl} apiKey={apiKey} />
            ))}
          </div>
        </section>
      ))}
    </DocLayout>
  )
}
