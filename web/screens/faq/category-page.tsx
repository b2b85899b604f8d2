import { useTranslations } from 'use-intl'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList, faqPage } from '#web/house/structured-data.ts'
import { type LoaderInput, notThere } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { AnswerLinks } from './answer-links.tsx'
import { GroupLinks } from './group-links.tsx'

export async function loader({ api, params }: LoaderInput) {
  const { categories } = await api('GET /api/v1/content/answers', {})
  const category = categories.find(({ slug }) => slug === params.category)
  if (category === undefined) throw notThere()
  return { categories, category }
}

export function Page() {
  const t = useTranslations('faq')
  const { page } = useAppContext()
  const { categories, category } = useScreenData<typeof loader>()
  const { slug, title, answers } = category
  const crumbs = [
    { title: t('title'), path: '/faq' },
    { title, path: `/faq/${slug}` },
  ]
  return (
    <>
      <PageHead
        title={t('categoryTitle', { title })}
        description={t('categoryDescription', { title, count: answers.length })}
        things={[
          faqPage(answers.map((answer) => ({ question: answer.title, answer: answer.description }))),
          breadcrumbList(page.publicUrl, crumbs),
        ]}
      />
      <Breadcrumbs crumbs={crumbs} />
      <h1 className="mb-4 text-3xl font-semibold tracking-tight">{title}</h1>
      <div className="gap-x-16 lg:grid lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
        <div className="mb-10 min-w-0">
          <AnswerLinks category={slug} answers={answers} long />
        </div>
        <GroupLinks categories={categories} />
      </div>
    </>
  )
}
