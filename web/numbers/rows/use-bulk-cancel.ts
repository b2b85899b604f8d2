import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'
import { type AppContext, useAppContext, useConfirm } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from '#web/numbers/list/number-kind.ts'
import { refetch } from '#web/session/refetch.ts'
import { laterTranslator } from '#web/text/later-translator.ts'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { type CancelEnd, cancelEach } from './cancel-each.ts'
import { type CancelPlan, cancelPlan } from './cancel-plan.ts'

/** A longer list of numbers would not be read. */
const MOST_NAMED = 5

type Words = Awaited<ReturnType<typeof laterTranslator<'rows'>>>
type State = { busy: ReadonlySet<number>; failures: ReadonlyMap<number, string> }

export type BulkCancel<Item extends NumberRecord> = State & { run: (records: readonly Item[]) => void }

/** Cancels several numbers after one question. `failures` has the reason by id of each number that was refused. */
export function useBulkCancel<Item extends NumberRecord>(kind: NumberKind<Item>): BulkCancel<Item> {
  const app = useAppContext()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const [state, setState] = useState<State>({ busy: new Set(), failures: new Map() })
  const isRunning = useRef(false)

  async function cancelAll(records: readonly Item[]): Promise<void> {
    const t = await laterTranslator(app, 'rows')
    const plan = cancelPlan(records, app.clock.nowMs())
    const rest = restWords(t, plan)
    if (plan.now.length === 0) return app.alerts.add({ type: 'info', text: rest === '' ? t('none') : rest })
    const count = plan.now.length
    const ask = t('ask', { count, money: moneyOf(app, plan.now) })
    if (!(await confirm({ text: `${ask} ${rest}`.trim(), action: t('agree', { count }), force: true }))) return
    setState({ busy: new Set(plan.now.map(({ id }) => id)), failures: new Map() })
    const ends: CancelEnd<Item>[] = []
    const onEnd = (end: CancelEnd<Item>) => {
      ends.push(end)
      kind.apply(queryClient, end.record)
      setState((before) => withEnd(before, end, t('failed')))
    }
    await cancelEach({ api: app.api, kind, records: plan.now, onEnd })
    inBackground(refetch(queryClient, { queryKey: ['user'] }))
    app.alerts.add({ type: ends.some((end) => end.kind === 'failed') ? 'error' : 'info', text: sumWords(app, t, ends) })
  }

  async function runOnce(records: readonly Item[]): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await cancelAll(records)
    } finally {
      isRunning.current = false
    }
  }
  return { ...state, run: (records) => inBackground(runOnce(records)) }
}

function withEnd(before: State, end: CancelEnd<NumberRecord>, otherwise: string): State {
  const busy = new Set(before.busy)
  busy.delete(end.record.id)
  if (end.kind !== 'failed') return { ...before, busy }
  const told = end.error instanceof CallError && end.error.message !== '' ? end.error.message : otherwise
  return { busy, failures: new Map(before.failures).set(end.record.id, told) }
}

/** Says which numbers cannot be cancelled yet, and how many never. */
function restWords(t: Words, { later, stay }: CancelPlan<NumberRecord>): string {
  const named = later
    .slice(0, MOST_NAMED)
    .map(({ record, opensInSeconds }) => t('laterOne', { number: nameOf(record), time: formatSeconds(opensInSeconds) }))
  const more = later.length - named.length
  const list = more > 0 ? [...named, t('more', { count: more })] : named
  return [
    ...(list.length === 0 ? [] : [t('later', { list: list.join(', ') })]),
    ...(stay.length === 0 ? [] : [t('stay', { count: stay.length })]),
  ].join(' ')
}

function sumWords(app: AppContext, t: Words, ends: readonly CancelEnd<NumberRecord>[]): string {
  const of = (kind: CancelEnd<NumberRecord>['kind']) => ends.filter((end) => end.kind === kind)
  const [cancelled, came, failed] = [of('cancelled'), of('came'), of('failed')]
  const returned = cancelled.map(({ record }) => record).filter(({ money }) => money === 'released')
  return [
    t('done', { count: cancelled.length, all: ends.length, money: moneyOf(app, returned) }),
    ...(came.length === 0 ? [] : [t('came', { count: came.length })]),
    ...(failed.length === 0 ? [] : [t('failedSome', { count: failed.length })]),
  ].join(' ')
}

/** Sums prices by currency, because an account may have numbers of an earlier currency. */
function moneyOf(app: AppContext, records: readonly NumberRecord[]): string {
  const byCurrency = Map.groupBy(records, ({ currency }) => currency)
  if (byCurrency.size === 0) return formatMoney('0.00', app.page.zone.currency, app.language.get().locale)
  return [...byCurrency]
    .map(([currency, group]) => {
      const micros = group.reduce((sum, { price }) => sum + (parseDecimal(price) ?? 0n), 0n)
      return formatMoney(toDecimal(micros), currency, app.language.get().locale)
    })
    .join(' + ')
}

function nameOf({ phone, country, service }: NumberRecord): string {
  return phone === null ? service.name : formatPhone(phone, country.dial)
}
