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
import { buyPathOf, type DirectoryKind, pathOf } from './directory-paths.ts'
import { ItemLinks } from './item-links.tsx'
import { ItemIcon, OffersTable } from './offers-table.tsx'
import { SeoLayout } from './seo-layout.tsx'

type Data = DirectoryPageReply['data']
type DirectoryPageProps = { kind: DirectoryKind; data: Data }

export function DirectoryPage({ kind, data }: DirectoryPageProps) {
  const t = useTranslations('directory')
  const { page } = useAppContext()
  const words = useWords(kind, data)
  const { item, offers, currency, related } = data
  const other: DirectoryKind = kind === 'services' ? 'countries' : 'services'
  const path = pathOf(kind, item)
  const crumbs = [
    { title: t('home'), path: '/' },
    { title: t(kind), path: kind === 'services' ? '/service' : '/country' },
    { title: item.name, path },
  ]
  const prices = offers.flatMap(({ price }) => (price === null ? [] : [price]))
  return (
    <SeoLayout crumbs={crumbs}>
      <PageHead
        title={words.title}
        description={words.description}
        things={[
          ...productThings({
            origin: page.publicUrl,
            path,
            name: words.title,
            description: words.description,
            currency,
            prices,
          }),
          faqPage(words.questions),
          breadcrumbList(page.publicUrl, crumbs),
        ]}
      />
      <header className="flex items-start gap-4">
        <span className="mt-1 shrink-0">
          <ItemIcon item={item} />
        </span>
        <div>
          <h1 className="text-3xl font-semibold tracking-tight text-balance">{words.title}</h1>
          <p className="mt-2 max-w-2xl text-[17px] text-muted">{words.lead}</p>
          <Link
            to={buyPathOf(kind === 'services' ? { serviceId: item.id } : { countryId: item.id })}
            className={`mt-4 ${buttonLook('primary')}`}
          >
            {t('chooseNumber')}
          </Link>
        </div>
      </header>
      <Section title={t(kind === 'services' ? 'countriesWithNumbers' : 'servicesWithNumbers')}>
        <Offers kind={kind} data={data} other={other} />
      </Section>
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
      {related.length === 0 ? null : (
        <Section title={t(kind === 'services' ? 'otherServices' : 'otherCountries')}>
          <ItemLinks kind={kind} items={related} currency={currency} />
        </Section>
      )}
    </SeoLayout>
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

function Offers({ kind, data, other }: DirectoryPageProps & { other: DirectoryKind }) {
  const t = useTranslations('directory')
  const { item, offers, offers_total: total, currency } = data
  if (offers.length === 0) {
    return (
      <EmptyState title={t('noneTitle')} text={t('noneText')}>
        <Link
          to={buyPathOf(kind === 'services' ? { serviceId: item.id } : { countryId: item.id })}
          className={buttonLook()}
        >
          {t('preorder')}
        </Link>
      </EmptyState>
    )
  }
  const rows = offers.map((offer) => ({
    item: offer,
    path: pathOf(other, offer),
    buyPath: buyPathOf(
      kind === 'services' ? { serviceId: item.id, countryId: offer.id } : { serviceId: offer.id, countryId: item.id },
    ),
    price: offer.price ?? '0.00',
    count: offer.count,
    success_share: offer.success_share,
    median_seconds: offer.median_seconds,
  }))
  return (
    <>
      <OffersTable rows={rows} currency={currency} caption={t('pricesOf', { name: item.name })} />
      {total > offers.length ? (
        <p className="mt-3 text-muted">{t('moreOffers', { count: total - offers.length })}</p>
      ) : null}
    </>
  )
}

/** Returns the texts of a directory page, made of catalogue data, so that the pages differ from each other. */
function useWords(kind: DirectoryKind, data: Data) {
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
  return {
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
