import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { DirectoryPageReply } from '#contract/content.ts'
import { formatMoney } from '#contract/money.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList, faqPage, productThings } from '#web/house/structured-data.ts'
import { Link } from '#web/navigation/link.tsx'
import { PageHead } from '#web/navigation/page-head.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Sparkline } from './board/sparkline.tsx'
import { buyPathOf, type DirectoryKind, pathOf } from './directory-paths.ts'
import { ItemIcon } from './item-icon.tsx'
import { ItemLinks } from './item-links.tsx'
import { SeoLayout } from './seo-layout.tsx'
import { Simulated } from './simulated.tsx'

type Data = DirectoryPageReply['data']
type DirectoryPageProps = {
  kind: DirectoryKind
  data: Data
  words: ReturnType<typeof useDirectoryWords>
  /** The panel that buys a number, which this lower layer cannot import. */
  panel: ReactNode
  board: ReactNode
  articles: ReactNode
}

export function DirectoryPage({ kind, data, words, panel, board, articles }: DirectoryPageProps) {
  const t = useTranslations('directory')
  const { item, currency, related, codes_by_hour: codes } = data
  return (
    <SeoLayout crumbs={words.crumbs}>
      <Head data={data} words={words} />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <header className="flex min-w-0 items-start gap-4">
          <span className="mt-1 shrink-0">
            <ItemIcon item={item} />
          </span>
          <div className="min-w-0">
            <h1 className="text-3xl font-semibold tracking-tight text-balance">{words.title}</h1>
            <p className="mt-2 max-w-2xl text-[17px] text-muted">{words.lead}</p>
          </div>
        </header>
        <div className="contents [--panel-rest:31rem] lg:[&>form]:col-start-2 lg:[&>form]:row-span-2 lg:[&>form]:row-start-1">
          {panel}
        </div>
        <div className="min-w-0">
          {codes.length === 0 ? null : <Sparkline codes={codes} />}
          <Section title={t(kind === 'services' ? 'countriesWithNumbers' : 'servicesWithNumbers')}>
            <Offers kind={kind} data={data}>
              {board}
            </Offers>
            <Simulated />
          </Section>
          <HowTo words={words} />
        </div>
      </div>
      {articles === null ? null : <Section title={t('articles')}>{articles}</Section>}
      {related.length === 0 ? null : (
        <Section title={t(kind === 'services' ? 'otherServices' : 'otherCountries')}>
          <ItemLinks kind={kind} items={related} currency={currency} />
        </Section>
      )}
    </SeoLayout>
  )
}

function Head({ data, words }: Pick<DirectoryPageProps, 'data' | 'words'>) {
  const { page } = useAppContext()
  const { title, description, path } = words
  const prices = data.offers.flatMap(({ price }) => (price === null ? [] : [price]))
  return (
    <PageHead
      title={title}
      description={description}
      picture={{ path, alt: title }}
      things={[
        ...productThings({
          origin: page.publicUrl,
          path,
          name: title,
          description,
          currency: data.currency,
          prices,
        }),
        faqPage(words.questions),
        breadcrumbList(page.publicUrl, words.crumbs),
      ]}
    />
  )
}

function HowTo({ words }: Pick<DirectoryPageProps, 'words'>) {
  const t = useTranslations('directory')
  return (
    <>
      <Section title={t('howTo')}>
        <ol className="max-w-2xl list-decimal space-y-2 pl-6">
          {words.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Section>
      <Section title={t('questions')}>
        <dl className="max-w-2xl space-y-5">
          {words.questions.map(({ question, answer }) => (
            <div key={question}>
              <dt className="font-semibold">{question}</dt>
              <dd className="mt-1">{answer}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="mb-4 text-xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  )
}

function Offers({ kind, data, children }: Pick<DirectoryPageProps, 'kind' | 'data'> & { children: ReactNode }) {
  const t = useTranslations('directory')
  const { item, offers, offers_total: total } = data
  if (offers.length === 0) {
    return (
      <EmptyState drawing="stamp" title={t('noneTitle')} text={t('noneText')}>
        <Link
          to={buyPathOf(kind === 'services' ? { serviceId: item.id } : { countryId: item.id })}
          className={buttonLook()}
        >
          {t('preorder')}
        </Link>
      </EmptyState>
    )
  }
  return (
    <>
      {children}
      {total > offers.length ? (
        <p className="mt-3 text-muted">{t('moreOffers', { count: total - offers.length })}</p>
      ) : null}
    </>
  )
}

/** Returns the texts of a directory page, made of catalogue data, so that the pages differ from each other. */
export function useDirectoryWords(kind: DirectoryKind, data: Data) {
  const t = useTranslations('directory')
  const locale = useLocale()
  const { item, offers, offers_total: total, currency, dial, operators } = data
  const [cheapest] = offers
  const money = (amount: string) => formatMoney(amount, currency, locale)
  const subject = { name: item.name, dial: dial ?? '' }
  const best = offers
    .filter(({ success_share: share }) => share !== null)
    .sort((a, b) => (b.success_share ?? 0) - (a.success_share ?? 0))[0]
  const facts = {
    stock:
      cheapest === undefined || cheapest.price === null
        ? t(`${kind}Facts.none`, subject)
        : t(`${kind}Facts.stock`, { ...subject, count: total, cheapest: cheapest.name, price: money(cheapest.price) }),
    measured:
      item.success_share === null
        ? t('facts.notMeasured')
        : t('facts.measured', {
            percent: formatPercent(item.success_share, locale),
            seconds: Math.max(1, Math.round(item.median_seconds ?? 0)),
            hasTime: item.median_seconds === null ? 'no' : 'yes',
          }),
    best:
      best === undefined || best.success_share === null
        ? ''
        : t('facts.best', { name: best.name, percent: formatPercent(best.success_share, locale) }),
    operators:
      operators.length === 0
        ? ''
        : t('facts.operators', { count: operators.length, list: operators.slice(0, 8).join(', ') }),
    rent: data.can_rent ? t(`${kind}Facts.rent`, subject) : '',
    repeat: data.can_repeat ? t(`${kind}Facts.repeat`, subject) : '',
  }
  const join = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')
  const path = pathOf(kind, item)
  return {
    path,
    crumbs: [
      { title: t('home'), path: '/' },
      { title: t(kind), path: kind === 'services' ? '/service' : '/country' },
      { title: item.name, path },
    ],
    board: t('pricesOf', { name: item.name }),
    title: t(`${kind}Facts.title`, subject),
    description: join(facts.stock, t('facts.promise')),
    lead: join(facts.stock, facts.measured),
    steps: [
      t(`${kind}Steps.choose`, {
        ...subject,
        cheapest: cheapest?.name ?? '',
        known: cheapest === undefined ? 'no' : 'yes',
      }),
      t('steps.buy'),
      t(`${kind}Steps.enter`, subject),
      t('steps.wait'),
    ],
    questions: [
      { question: t(`${kind}Questions.cost`, subject), answer: join(facts.stock, t('facts.promise')) },
      { question: t('commonQuestions.time'), answer: join(facts.measured, facts.best) },
      {
        question: t(`${kind}Questions.more`, subject),
        answer: join(facts.operators, facts.rent, facts.repeat, t('facts.exact')),
      },
    ],
  }
}
