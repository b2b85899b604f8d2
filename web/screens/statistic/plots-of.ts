import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import type { PlotSpec } from '#web/ui/chart/draw-plot.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { type DaySum, dayFormat, formatDuration, formatScaleMoney, type Words } from './figures.ts'

type Data = StatisticsReply['data']
type Speech = { t: Words; locale: string }

export type PlotOf = {
  title: string
  spec: PlotSpec
  summary: string
  wordsOfDay: (index: number) => string
  legend?: { text: string; look: string }[]
}

export function plotsOf(data: Data, speech: Speech): PlotOf[] {
  return [
    purchasesPlot(data, speech),
    spentPlot(data, speech),
    ...(data.total.success_share === null ? [] : [sharePlot(data, speech)]),
    ...(data.total.median_seconds === null ? [] : [medianPlot(data, speech)]),
  ]
}

function purchasesPlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  const { purchases, codes } = data.total
  return {
    title: t('plot.purchases.title'),
    spec: {
      ...dayAxis(data, locale),
      // The bars of codes cover part of the bars of purchases, so the visible rest are purchases without a code.
      series: [
        { kind: 'bars', color: '--edge', values: data.days.map((day) => day.purchases) },
        { kind: 'bars', color: '--received', values: data.days.map((day) => day.codes) },
      ],
      leastTop: 4,
      steps: 'count',
      formatValue: (value) => formatCount(value, locale),
    },
    summary: t('plot.purchases.total', { purchases, codes }),
    wordsOfDay: ofDay(data, speech, ({ purchases, codes }, day) => t('plot.purchases.at', { day, purchases, codes })),
    legend: [
      { text: t('plot.codes'), look: 'bg-received' },
      { text: t('plot.others'), look: 'bg-edge' },
    ],
  }
}

function spentPlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  const money = (amount: string) => formatMoney(amount, data.currency, locale)
  return {
    title: t('plot.spent.title'),
    spec: {
      ...dayAxis(data, locale),
      // The converted number is only a height on the screen. No amount is calculated from it.
      series: [{ kind: 'bars', color: '--muted', values: data.days.map(({ spent }) => Number(spent)) }],
      leastTop: 0.01,
      formatValue: (value) => formatScaleMoney(value, data.currency, locale),
    },
    summary: t('plot.spent.total', { amount: money(data.total.spent) }),
    wordsOfDay: ofDay(data, speech, ({ spent }, day) => t('plot.spent.at', { day, amount: money(spent) })),
  }
}

function sharePlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  return {
    title: t('plot.share.title'),
    spec: {
      ...dayAxis(data, locale),
      series: [{ kind: 'line', color: '--received', values: data.days.map((day) => day.success_share) }],
      leastTop: 1,
      mostTop: 1,
      steps: 'share',
      formatValue: (value) => formatPercent(value, locale),
    },
    summary: t('plot.share.total', { percent: formatPercent(data.total.success_share ?? 0, locale) }),
    wordsOfDay: ofDay(data, speech, ({ success_share: share }, day) =>
      share === null
        ? t('plot.share.none', { day })
        : t('plot.share.at', { day, percent: formatPercent(share, locale) }),
    ),
  }
}

function medianPlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  return {
    title: t('plot.median.title'),
    spec: {
      ...dayAxis(data, locale),
      series: [{ kind: 'line', color: '--ink', values: data.days.map((day) => day.median_seconds) }],
      leastTop: 10,
      steps: 'seconds',
      formatValue: (value) => (value === 0 ? '0' : formatDuration(t, value)),
    },
    summary: t('plot.median.total', { time: formatDuration(t, data.total.median_seconds ?? 0) }),
    wordsOfDay: ofDay(data, speech, ({ median_seconds: seconds }, day) =>
      seconds === null
        ? t('plot.median.none', { day })
        : t('plot.median.at', { day, time: formatDuration(t, seconds) }),
    ),
  }
}

function dayAxis({ days }: Data, locale: string): Pick<PlotSpec, 'days' | 'formatDay'> {
  return { days: days.map(({ day }) => day), formatDay: dayFormat(locale, false) }
}

function ofDay({ days }: Data, { locale }: Speech, say: (sum: DaySum, day: string) => string) {
  const format = dayFormat(locale, true)
  return (index: number): string => {
    const sum = days[index]
    return sum === undefined ? '' : say(sum, format(sum.day))
  }
}
