import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList, faqPage } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { aboutIn } from '#web/support/about-in.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { AnswerLinks } from './answer-links.tsx'

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
      <TextPage text={data}>
        <p className="mt-10 max-w-2xl border-t border-hairline pt-5 text-muted">
          {t.rich('ask', {
            link: (text) => (
              <Link to={ask} className={TEXT_BUTTON_LOOK}>
                {text}
              </Link>
            ),
          })}
        </p>
        {related.length === 0 ? null : (
          <section className="mt-10 max-w-2xl">
            <h2 className="mb-2 text-xl font-semibold tracking-tight">{category.title}</h2>
            <AnswerLinks category={category.slug} answers={related} />
          </section>
        )}
      </TextPage>
    </>
  )
}
