import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '../../components/directory/breadcrumbs.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { TextPage } from '../../components/prose/text-page.tsx'
import { breadcrumbList, faqPage } from '../../components/structured-data.ts'
import { useFrame } from '../../frame.ts'
import { type LoaderInput, useScreenData } from '../../loader-input.ts'
import { AnswerLinks } from './answer-links.tsx'

export async function loader({ api, params }: LoaderInput) {
  const { category = '', alias: slug = '' } = params
  return api('GET /api/v1/content/answers/{category}/{slug}', { category, slug })
}

/** /faq/{category}/{alias}: one answer. */
export function Page() {
  const t = useTranslations('faq')
  const { page } = useFrame()
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
