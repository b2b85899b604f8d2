import { useTranslations } from 'use-intl'
import { PROTOCOLS, type ProtocolName } from '#contract/calls/reference-calls.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useLocation, useScreenData } from '#web/navigation/use-page.ts'
import { DocLayout } from '#web/screens/doc/doc-layout.tsx'
import { KeyField } from '#web/screens/doc/panel/key-field.tsx'
import { ReaderProvider } from '#web/screens/doc/panel/reader.tsx'
import { PartSection } from './part-section.tsx'

export async function loader({ api, url }: LoaderInput) {
  return (await api('GET /api/v1/reference/protocols/{name}', { name: protocolAt(url.pathname) })).data
}

/** The only query parameter chooses the language of the examples, which all are on the page. */
export const ownsQuery = true

/** The four pages of protocols have one screen, which the path tells apart. */
function protocolAt(pathname: string): ProtocolName {
  return PROTOCOLS.find((name) => pathname.replace(/\/$/, '').endsWith(`/${name}`)) ?? 'handler-api'
}

export function Page() {
  return (
    <DocLayout>
      <ReaderProvider>
        <Protocol />
      </ReaderProvider>
    </DocLayout>
  )
}

function Protocol() {
  const t = useTranslations('doc')
  const { publicUrl } = useAppContext().page
  const { pathname } = useLocation()
  const { title, description, text, words, parts } = useScreenData<typeof loader>()
  const crumbs = [
    { title: t('title'), path: '/doc' },
    { title, path: pathname },
  ]
  return (
    <>
      <PageHead title={title} description={description} things={[breadcrumbList(publicUrl, crumbs)]} />
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      {text.map((paragraph) => (
        <p key={paragraph} className="mt-2 max-w-2xl">
          {paragraph}
        </p>
      ))}
      <nav aria-label={t('parts')} className="mt-4">
        <ul className="flex flex-wrap gap-x-5">
          {parts.map((part) => (
            <li key={part.id}>
              <a href={`#${part.id}`} className={PART_LINK_LOOK}>
                {part.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <KeyField />
      {parts.map((part) => (
        <PartSection key={part.id} part={part} words={words} />
      ))}
    </>
  )
}

const PART_LINK_LOOK =
  'inline-flex min-h-10 items-center text-[15px] underline decoration-edge underline-offset-4 hover:decoration-current'
