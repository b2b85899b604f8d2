import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Statement, StatementFilter } from '#contract/past/history.ts'
import { useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListEnd } from '#web/ui/list-end.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { PrintButton } from '../print-button.tsx'
import { SheetHead } from '../sheet-head.tsx'
import { SheetZone } from '../sheet-zone.tsx'
import { StatementLines } from './statement-lines.tsx'
import { StatementSums } from './statement-sums.tsx'
import { useStatement, useStatementLines } from './use-statement.ts'

/** The maximum number of printed lines. The downloaded file has all lines. */
const MOST_PRINTED = 1_000

export function StatementView({ input }: { input: StatementFilter | null }) {
  const t = useTranslations('history.statement')
  const words = useTranslations('history')
  const sums = useStatement(input)
  const lines = useStatementLines(input)
  const items = lines.data?.pages.flatMap(({ movements }) => movements.data) ?? []
  if (sums.isError && sums.data === undefined) {
    return (
      <div className="mt-4">
        <EmptyState kind="error" title={words('failedTitle')} text={words('failedText')}>
          <Button onClick={() => inBackground(sums.refetch())}>{words('retry')}</Button>
        </EmptyState>
      </div>
    )
  }
  const statement = sums.data?.data
  return (
    <article className="sheet mt-4" aria-busy={statement === undefined}>
      <SheetHead title={t('title')} />
      {statement === undefined ? (
        <Skeleton className="h-80 w-full" />
      ) : (
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <Period statement={statement} />
            <span className="print:hidden">
              <PrintAll lines={lines} count={items.length} />
            </span>
          </div>
          <StatementSums statement={statement} />
        </>
      )}
      {items.length === 0 ? null : <StatementLines items={items} />}
      {lines.hasNextPage ? (
        <p className="hidden pt-2 text-sm print:block">{t('cut', { count: items.length })}</p>
      ) : null}
      <div className="print:hidden">
        <ListEnd
          query={lines}
          words={{ loading: words('loadingMore'), failed: words('moreFailed'), retry: words('retry') }}
        />
      </div>
    </article>
  )
}

function Period({ statement }: { statement: Statement }) {
  const t = useTranslations('history.statement')
  const email = useUser()?.email ?? ''
  const { from, to } = statement
  return (
    <div className="text-sm">
      <p className="text-base font-medium">
        {from === null && to === null ? t('allTime') : null}
        {from === null ? null : t('from', { day: dayOf(from) })}
        {from === null || to === null ? null : ' '}
        {to === null ? null : t('to', { day: dayOf(to) })}
      </p>
      <p className="break-all text-muted">{t('account', { email })}</p>
      <p className="text-muted">
        {t('drawnUp')} <LocalMoment at={statement.at} withYear />
      </p>
      <p className="text-muted">
        <SheetZone />
      </p>
    </div>
  )
}

/** Returns noon (UTC) of a day, so that the text, which formats the day in UTC, cannot shift it to another day. */
function dayOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}

type Lines = ReturnType<typeof useStatementLines>

function PrintAll({ lines, count }: { lines: Lines; count: number }) {
  const [pending, setPending] = useState(false)
  async function print(): Promise<void> {
    setPending(true)
    try {
      let known = { count, more: lines.hasNextPage }
      while (known.more && known.count < MOST_PRINTED) {
        const { data, hasNextPage, isError } = await lines.fetchNextPage()
        const loaded = data?.pages.reduce((sum, { movements }) => sum + movements.data.length, 0) ?? 0
        known = { count: loaded, more: hasNextPage && !isError }
      }
    } finally {
      setPending(false)
    }
    // The rows that just loaded are rendered with the next frame.
    requestAnimationFrame(() => window.print())
  }
  return <PrintButton pending={pending} onPress={() => inBackground(print())} />
}
