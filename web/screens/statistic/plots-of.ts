import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import type { PlotSeries, PlotSpec } from '#web/ui/chart/draw-plot.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { formatDuration, formatScaleMoney, readerOf, type StepSum, stepsOf, type Words } from './figures.ts'

type Data = StatisticsReply['data']
type Speech = { t: Words; locale: string; timeZone: string }

export type PlotOf = {
  title: string
  spec: PlotSpec
  summary: string
  wordsOfStep: (index: number) => string
  legend: { text: string; look: string }[]
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
      ...axisOf(data, speech),
      // The bars of codes cover part of the bars of purchases, so the visible rest are purchases without a code.
      series: seriesOf(data, { kind: 'bars', color: '--edge', heightOf: ({ purchases }) => purchases }, [
        { kind: 'bars', color: '--received', values: stepsOf(data).map(({ codes }) => codes) },
      ]),
      leastTop: 4,
      scale: 'count',
      formatValue: (value) => formatCount(value, locale),
    },
    summary: t('plot.purchases.total', { purchases, codes }),
    wordsOfStep: ofStep(data, speech, ({ purchases, codes }, day) => t('plot.purchases.at', { day, purchases, codes })),
    legend: [
      { text: t('plot.codes'), look: 'bg-received' },
      { text: t('plot.others'), look: 'bg-edge' },
      ...legendOf(data, t),
    ],
  }
}

function spentPlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  const money = (amount: string) => formatMoney(amount, data.currency, locale)
  return {
    title: t('plot.spent.title'),
    spec: {
      ...axisOf(data, speech),
      // The converted number is only a height on the screen. No amount is calculated from it.
      series: seriesOf(data, { kind: 'bars', color: '--edge', heightOf: ({ spent }) => Number(spent) }),
      leastTop: 0.01,
      formatValue: (value) => formatScaleMoney(value, data.currency, locale),
    },
    summary: t('plot.spent.total', { amount: money(data.total.spent) }),
    legend: legendOf(data, t),
    wordsOfStep: ofStep(data, speech, ({ spent }, day) => t('plot.spent.at', { day, amount: money(spent) })),
  }
}

function sharePlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  return {
    title: t('plot.share.title'),
    spec: {
      ...axisOf(data, speech),
      series: seriesOf(data, { kind: 'line', color: '--received', heightOf: (sum) => sum.success_share }),
      leastTop: 1,
      mostTop: 1,
      scale: 'share',
      formatValue: (value) => formatPercent(value, locale),
    },
    summary: t('plot.share.total', { percent: formatPercent(data.total.success_share ?? 0, locale) }),
    legend: legendOf(data, t),
    wordsOfStep: ofStep(data, speech, ({ success_share: share }, day) =>
      share === null
        ? t('plot.share.none', { day })
        : t('plot.share.at', { day, percent: formatPercent(share, locale) }),
    ),
  }
}

function medianPlot(data: Data, speech: Speech): PlotOf {
  const { t } = speech
  return {
    title: t('plot.median.title'),
    spec: {
      ...axisOf(data, speech),
      series: seriesOf(data, { kind: 'line', color: '--ink', heightOf: (sum) => sum.median_seconds }),
      leastTop: 10,
      scale: 'seconds',
      formatValue: (value) => (value === 0 ? '0' : formatDuration(t, value)),
    },
    summary: t('plot.median.total', { time: formatDuration(t, data.total.median_seconds ?? 0) }),
    legend: legendOf(data, t),
    wordsOfStep: ofStep(data, speech, ({ median_seconds: seconds }, day) =>
      seconds === null
        ? t('plot.median.none', { day })
        : t('plot.median.at', { day, time: formatDuration(t, seconds) }),
    ),
  }
}

type Drawn = Pick<PlotSeries, 'kind' | 'color'> & { heightOf: (sum: StepSum) => number | null }

/**
 * Returns the series, those that cover it, and above all, dashed, the figures of the period before, if anything
 * happened in it.
 */
function seriesOf(data: Data, { heightOf, ...look }: Drawn, covering: PlotSeries[] = []): PlotSeries[] {
  const series: PlotSeries = { ...look, values: stepsOf(data).map(heightOf) }
  if (data.before.total.purchases === 0) return [series, ...covering]
  // A day of the clock change has an hour more or less than the day before.
  const before = stepsOf(data.before)
  const values = series.values.map((_, place) => {
    const sum = before[place]
    return sum === undefined ? null : heightOf(sum)
  })
  return [series, ...covering, { kind: 'dashes', color: '--muted', values }]
}

function legendOf({ before }: Data, t: Words): PlotOf['legend'] {
  return before.total.purchases === 0
    ? []
    : [{ text: t('plot.before'), look: 'h-0! border-t-2 border-dashed border-muted' }]
}

function axisOf(data: Data, speech: Speech): Pick<PlotSpec, 'steps' | 'isHourly' | 'formatStep'> {
  return {
    steps: stepsOf(data).map(({ at }) => at),
    isHourly: data.hours !== null,
    formatStep: readerOf(data, speech).short,
  }
}

function ofStep(data: Data, speech: Speech, say: (sum: StepSum, step: string) => string) {
  const { long } = readerOf(data, speech)
  const steps = stepsOf(data)
  return (index: number): string => {
    const sum = steps[index]
    return sum === undefined ? '' : say(sum, long(sum.at))
  }
}
