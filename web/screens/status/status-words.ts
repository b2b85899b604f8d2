import type { useTranslations } from 'use-intl'
import type { StatusReply, StatusState } from '#contract/status/status.ts'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'

export type StatusWords = ReturnType<typeof useTranslations<'status'>>
export type Component = StatusReply['components'][number]
export type Day = Component['days'][number]
/** A state in which something is wrong. */
export type Trouble = Exclude<StatusState, 'unknown' | 'working'>

/** The states of trouble, the worst first. */
export const TROUBLES = ['down', 'partly', 'slow'] as const satisfies readonly Trouble[]

/** Returns the sentence about everything: the worst part, else the worst service, else that all works or worked. */
export function headSentence(
  t: StatusWords,
  { components, services, measured_at: measuredAt }: StatusReply,
  isOld: boolean,
): string {
  for (const state of TROUBLES) {
    const found = components.find((one) => one.state === state)
    if (found !== undefined) return t(`head.${found.id}.${state}`)
  }
  for (const state of TROUBLES) {
    const found = services.find((one) => one.state === state)
    if (found !== undefined) return t(`headOfService.${state}`, { service: found.name })
  }
  if (measuredAt === null) return t('nothingYet')
  return isOld ? t('unknownNow') : t('allWorks')
}

/** Returns the worst state of parts and services, for the look of the page's head. Nobody knows what works by old figures. */
export function worstState({ components, services }: StatusReply, isOld: boolean): StatusState {
  const all = new Set([...components, ...services].map(({ state }) => state))
  return TROUBLES.find((state) => all.has(state)) ?? (all.has('working') && !isOld ? 'working' : 'unknown')
}

/** Returns the measured figure of a part in words; null if there is none. */
export function figureOf(t: StatusWords, locale: string, { id, value, usual }: Component): string | null {
  if (value === null) return null
  const time = duration(t, value)
  switch (id) {
    case 'codes': {
      const share = formatPercent(value, locale)
      return usual === null ? t('shareAlone', { share }) : t('shares', { share, usual: formatPercent(usual, locale) })
    }
    case 'links':
      return t('linksUp', { share: formatPercent(value, locale) })
    case 'messages':
    case 'mails':
      return value < 1 ? t('noWait') : t('waits', { time })
    case 'orders':
      return t('answers', { time })
    case 'site':
    case 'api':
      return t('mostWithin', { time })
    case 'payments':
      return value < 1 ? t('onTime') : t('late', { time })
    default:
      return id satisfies never
  }
}

const LEAST_MS = 10

function duration(t: StatusWords, seconds: number): string {
  if (seconds < 1) return t('time.ms', { count: Math.max(LEAST_MS, Math.round(seconds * 100) * 10) })
  if (seconds < 120) return t('time.seconds', { count: Math.round(seconds) })
  return t('time.minutes', { count: Math.round(seconds / 60) })
}

/** Formats 0.9998 as "99.98%", and 1 as "100%". */
export function formatAvailable(share: number, locale: string): string {
  const text = String(Math.floor(share * 10_000 + 1e-6) / 100)
  return locale.startsWith('ru') ? `${text.replace('.', ',')}\u00a0%` : `${text}%`
}

export function worstOfDay(day: Day | undefined): StatusState {
  if (day === undefined) return 'unknown'
  return TROUBLES.find((state) => day[state] > 0) ?? 'working'
}

/** Tells what was wrong on a day, the worst first. */
export function wordsOfDay(t: StatusWords, day: Day | undefined): string {
  if (day === undefined) return t('noFigures')
  const troubles = TROUBLES.filter((state) => day[state] > 0)
  if (troubles.length === 0) return t('allDay')
  return troubles.map((state) => t(`ofDay.${state}`, { count: day[state] })).join(', ')
}
