import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList, faqPage } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { Day } from '#web/reading/date-line.tsx'
import { TextPage } from '#web/reading/text-page.tsx'
import { aboutIn } from '#web/support/about-in.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { AnswerLinks } from './answer-links.tsx'
import { CopyLink } from './copy-link.tsx'

export async function loader({ api, params, url }: LoaderInput) {
  const { category = '', alias: slug = '' } = params
  const reply = await api('GET /api/v1/content/answers/{category}/{slug}', { category, slug })
  const about = aboutIn(url.searchParams)
  return {
    ...reply,
    ask:
      about === null ? '/support/create' : `/support/create?${new URLSearchParams({ [about.kind]: String(about.id) })}`,
  }
}

export function Page() {
  const t = useTranslations('faq')
  const content = useTranslations('content')
  const { page } = useAppContext()
  const { data, related, ask } = useScreenData<typeof loader>()
  const { title, description, html, category, slug } = data
  const crumbs = [
    { title: t('title'), path: '/faq' },
    { title: category.title, path: `/faq/${category.slug}` },
    { title, path: `/faq/${category.slug}/${slug}` },
  ]
  return (
    <>
      <PageHead
        title={title}
        description={description}
        things={[faqPage([{ question: title, answer: html }]), breadcrumbList(page.publicUrl, crumbs)]}
      />
      <Breadcrumbs crumbs={crumbs} />
      <TextPage
        text={data}
        byline={
          <span className="flex flex-wrap items-center gap-x-4">
            <span>
              {content('updated')} <Day date={data.updated} />
            </span>
            <CopyLink path={`/faq/${category.slug}/${slug}`} />
          </span>
        }
        aside={
          related.length === 0 ? null : (
            <section aria-labelledby="related" className="rounded border border-hairline bg-surface px-5 py-4">
              <h2 id="related" className="mb-1 text-lg font-semibold tracking-tight">
                {category.title}
              </h2>
              <AnswerLinks category={category.slug} answers={related} />
            </section>
          )
        }
      >
        <p className="mt-10 border-t border-hairline pt-5 text-muted">
          {t.rich('ask', {
            link: (text) => (
              <Link to={ask} className={TEXT_BUTTON_LOOK}>
                {text}
              </Link>
            ),
          })}
        </p>
      </TextPage>
    </>
  )
}
