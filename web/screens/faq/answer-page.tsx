import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList, faqPage } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { AnswerLinks } from './answer-links.tsx'

export async function loader({ api, params }: LoaderInput) {
  const { category = '', alias: slug = '' } = params
  return api('GET /api/v1/content/answers/{category}/{slug}', { category, slug })
}

export function Page() {
  const t = useTranslations('faq')
  const { page } = useAppContext()
  const { data, related } = useScreenData<typeof loader>()
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
        {related.length === 0 ? null : (
          <section className="mt-12 max-w-2xl">
            <h2 className="mb-2 text-xl font-semibold tracking-tight">{category.title}</h2>
            <AnswerLinks category={category.slug} answers={related} />
          </section>
        )}
      </TextPage>
    </>
  )
}
