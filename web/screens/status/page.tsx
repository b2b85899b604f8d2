import './status.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import type { StatusReply } from '#contract/status/status.ts'
import { SECOND } from '#contract/time.ts'
import { useApi } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { CodeShares } from './code-shares.tsx'
import { ComponentRows } from './component-rows.tsx'
import { CountryLinks } from './country-links.tsx'
import { Incidents } from './incidents.tsx'
import { StateMark } from './state-mark.tsx'
import { StatusMoment } from './status-moment.tsx'
import { headSentence, worstState } from './status-words.ts'

const REFRESH_SECONDS = 30

export async function loader({ api, now, locale }: LoaderInput) {
  return { status: await api('GET /api/v1/status', {}), askedAt: now, locale }
}

export function Page() {
  const t = useTranslations('status')
  const { status, askedAt, isLost } = useStatus()
  const { incidents, measured_at: measuredAt } = status
  const open = incidents.filter(({ closed_at: closedAt }) => closedAt === null)
  const over = incidents.filter(({ closed_at: closedAt }) => closedAt !== null)
  return (
    <>
      <PageHead title={t('title')} description={t('description')} />
      <noscript>
        <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
      <Head status={status} isOld={status.old || isLost} />
      {open.length === 0 ? null : (
        <section>
          <h2 className="sr-only">{t('underWay')}</h2>
          <Incidents incidents={open} />
        </section>
      )}
      <ComponentRows components={status.components} lastDay={(measuredAt ?? askedAt).slice(0, 10)} />
      <Section title={t('codesTitle')} text={t('codesText')}>
        <CodeShares services={status.services} countries={status.countries} />
      </Section>
      <Section title={t('linksTitle')} text={t('linksText')}>
        <CountryLinks links={status.links} />
      </Section>
      <Section title={t('incidents')}>
        {over.length === 0 ? <p className="mt-3 text-muted">{t('incidentsNone')}</p> : <Incidents incidents={over} />}
      </Section>
      <p className="mt-10 flex flex-wrap items-center gap-x-5 border-t border-hairline pt-2 text-muted">
        {t('files')}
        <a href="/status.json" className={FILE}>
          {t('json')}
        </a>
        <a href="/status.rss" className={FILE}>
          {t('rss')}
        </a>
      </p>
    </>
  )
}

const FILE = 'inline-flex min-h-11 items-center text-ink underline underline-offset-4'

/** Refreshes the status while the page is seen. If that fails, the last one stays and is marked as old. */
function useStatus(): { status: StatusReply; askedAt: string; isLost: boolean } {
  const api = useApi()
  const { status, askedAt, locale } = useScreenData<typeof loader>()
  const query = useQuery({
    queryKey: ['status', locale, askedAt],
    queryFn: ({ signal }) => api('GET /api/v1/status', {}, { signal }),
    initialData: status,
    refetchInterval: REFRESH_SECONDS * SECOND,
    // The query would pause without a network, and old figures would look fresh.
    networkMode: 'always',
    gcTime: 0,
  })
  return { status: query.data, askedAt, isLost: query.isRefetchError }
}

function Head({ status, isOld }: { status: StatusReply; isOld: boolean }) {
  const t = useTranslations('status')
  const { measured_at: measuredAt } = status
  const state = worstState(status, isOld)
  return (
    <div className="[container-type:inline-size]">
      <div className="ticket status-head" data-state={state}>
        <div className="flex flex-col justify-center gap-3 px-5 py-6 sm:px-7">
          <p className="text-muted">{t('title')}</p>
          <h1 className="flex items-start gap-3 text-3xl leading-tight font-semibold tracking-tight text-balance">
            <span className="flex h-[1lh] items-center">
              <StateMark state={state} size={30} />
            </span>
            <span role="status">{headSentence(t, status, isOld)}</span>
          </h1>
          {isOld && measuredAt !== null ? <p className="max-w-xl text-muted">{t('oldText')}</p> : null}
        </div>
        <div className="ticket-stub justify-center">
          <span aria-hidden className="ticket-holes" style={{ '--left': '0%' }} />
          <p className={isOld ? 'font-semibold text-error' : 'text-muted'}>{isOld ? t('oldAt') : t('measuredAt')}</p>
          <p className="text-2xl font-semibold tracking-tight">
            {measuredAt === null ? '—' : <StatusMoment at={measuredAt} />}
          </p>
          <p className="text-[13px] text-muted">{t('often')}</p>
        </div>
      </div>
    </div>
  )
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="mt-10">
      <h2 id={titleId} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {text === undefined ? null : <p className="mt-1 max-w-2xl text-muted">{text}</p>}
      {children}
    </section>
  )
}
