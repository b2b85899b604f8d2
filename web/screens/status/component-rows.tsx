import { useLocale, useTranslations } from 'use-intl'
import { STATUS_DAYS } from '#contract/status/status.ts'
import { DAY } from '#contract/time.ts'
import { formatMoment } from '#web/ui/time/moment-format.ts'
import { StateMark } from './state-mark.tsx'
import { type Component, type Day, figureOf, formatAvailable, wordsOfDay, worstOfDay } from './status-words.ts'

/** `lastDay` is the day of the figures in UTC. */
export function ComponentRows({ components, lastDay }: { components: readonly Component[]; lastDay: string }) {
  const t = useTranslations('status')
  const days = daysUntil(lastDay)
  return (
    <section className="mt-6 rounded border border-hairline bg-surface">
      <h2 className="sr-only">{t('parts')}</h2>
      <ul>
        {components.map((component) => (
          <ComponentRow key={component.id} component={component} days={days} />
        ))}
      </ul>
    </section>
  )
}

function ComponentRow({ component, days }: { component: Component; days: readonly string[] }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const { id, state, available } = component
  const byDay = new Map(component.days.map((day) => [day.day, day]))
  const figure = figureOf(t, locale, component)
  return (
    <li className="status-row border-hairline px-4 pt-4 pb-3 not-last:border-b sm:px-5">
      <div className="min-w-0">
        <h3 className="font-medium">{t(`component.${id}`)}</h3>
        <p className="flex items-center gap-1.5">
          <StateMark state={state} size={16} />
          {t(`state.${state}`)}
        </p>
        {figure === null ? null : <p className="tabular text-[13px] text-muted">{figure}</p>}
      </div>
      <div className="min-w-0">
        <ol aria-hidden className="status-days">
          {days.map((day) => (
            <li
              key={day}
              data-state={worstOfDay(byDay.get(day))}
              title={`${shownDay(day, locale)}: ${wordsOfDay(t, byDay.get(day))}`}
            />
          ))}
        </ol>
        <p className="tabular mt-1 flex flex-wrap justify-between gap-x-3 text-[13px] text-muted">
          <span>{t('firstDay')}</span>
          <span className="order-last w-full text-center text-ink sm:order-none sm:w-auto">
            {available === null ? t('notMeasured') : t('available', { share: formatAvailable(available, locale) })}
          </span>
          <span>{t('lastDay')}</span>
        </p>
        <TroubleDays days={component.days} />
      </div>
    </li>
  )
}

/** Lists in words what the bars show, for those who cannot point at a bar. */
function TroubleDays({ days }: { days: readonly Day[] }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const troubled = days.filter((day) => worstOfDay(day) !== 'working').toReversed()
  if (troubled.length === 0) return null
  // A slow day leaves the uptime at 100%, so the words must not speak of problems.
  const words = troubled.every((day) => worstOfDay(day) === 'slow') ? 'slowDays' : 'troubleDays'
  return (
    <details className="text-[13px]">
      <summary className="inline-flex min-h-10 items-center text-muted underline decoration-hairline underline-offset-4 hover:text-ink">
        {t(words, { count: troubled.length })}
      </summary>
      <ul className="pb-2">
        {troubled.map((day) => (
          <li key={day.day} className="tabular flex flex-wrap gap-x-2 py-0.5">
            <span className="w-32 shrink-0 text-muted">{shownDay(day.day, locale)}</span>
            <span>{wordsOfDay(t, day)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function daysUntil(lastDay: string): string[] {
  const last = Date.parse(lastDay)
  return Array.from({ length: STATUS_DAYS }, (_, place) =>
    new Date(last - (STATUS_DAYS - 1 - place) * DAY).toISOString().slice(0, 10),
  )
}

/** The service counts days in UTC, so they are the same for every reader. */
function shownDay(day: string, locale: string): string {
  return formatMoment(day, { look: 'day', locale, timeZone: 'UTC' })
}
