import { formatMoney } from '#contract/money.ts'
import type { StatisticsReply } from '#contract/past/history.ts'
import type { PlotSeries, PlotSpec } from '#web/ui/chart/draw-plot.ts'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { formatDuration, formatScaleMoney, readerOf, type StepSum, stepsOf, type Words } from './figures.ts'
import { MEAN_STEPS } from './last-steps.ts'
import { meanShares } from './mean-shares.ts'
import { usualTimes } from './usual-times.ts'

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

/** The shares of single steps jump between 0 and 100 %, so the line is their mean, and a dot says how much it counts. */
function sharePlot(data: Data, speech: Speech): PlotOf {
  const { t, locale } = speech
  const steps = stepsOf(data)
  // Hours of an unfinished day do not follow those of the day before.
  const means = meanShares(steps, data.hours === null ? data.before.days : [])
  const before = meanShares(stepsOf(data.before))
  const unit = data.hours === null ? 'days' : 'hours'
  const percentOf = (share: number) => formatPercent(share, locale)
  return {
    title: t('plot.share.title'),
    spec: {
      ...axisOf(data, speech),
      series: [
        {
          kind: 'dots',
          color: '--received',
          values: steps.map(({ success_share: share }) => share),
          weights: steps.map(({ activations }) => activations),
        },
        { kind: 'mean', color: '--received', values: means },
        ...beforeOf(data, (place) => before[place]),
      ],
      leastTop: 1,
      mostTop: 1,
      scale: 'share',
      formatValue: percentOf,
    },
    summary: t('plot.share.total', { percent: percentOf(data.total.success_share ?? 0) }),
    legend: [
      ...weightLegend(Math.max(...steps.map(({ activations }) => activations)), {
        ...speech,
        of: 'share',
        dot: 'bg-received/60',
      }),
      { text: t('plot.share.mean', { unit, count: MEAN_STEPS }), look: 'h-0! w-4! border-t-2 border-received' },
      ...legendOf(data, t),
    ],
    wordsOfStep: ofStep(data, speech, ({ success_share: share, activations }, day, place) =>
      share === null
        ? t('plot.share.none', { day })
        : t('plot.share.at', {
            day,
            percent: percentOf(share),
            activations,
            mean: percentOf(means[place] ?? share),
            unit,
            count: MEAN_STEPS,
          }),
    ),
  }
}

type DotsOf = { of: 'share' | 'median'; dot: 'bg-received/60' | 'bg-ink/60' }

/** Shows the smallest and the largest dot with their numbers of activations or codes. */
function weightLegend(most: number, { t, locale, of, dot }: Speech & DotsOf): PlotOf['legend'] {
  const largest = { text: t(`plot.${of}.dot`, { count: most }), look: `rounded-full! ${dot}` }
  return most <= 1 ? [largest] : [{ text: formatCount(1, locale), look: `size-1.5! rounded-full! ${dot}` }, largest]
}

/** The medians of single days jump with one slow code, so the line is that of MEAN_STEPS steps, as in the plot of shares. */
function medianPlot(data: Data, speech: Speech): PlotOf {
  const { t } = speech
  const steps = stepsOf(data)
  const usual = usualTimes(steps, data.hours === null ? data.before.days : [])
  const before = usualTimes(stepsOf(data.before))
  const unit = data.hours === null ? 'days' : 'hours'
  return {
    title: t('plot.median.title'),
    spec: {
      ...axisOf(data, speech),
      series: [
        {
          kind: 'dots',
          color: '--ink',
          values: steps.map((sum) => sum.median_seconds),
          weights: steps.map(({ codes }) => codes),
        },
        { kind: 'mean', color: '--ink', values: usual },
        ...beforeOf(data, (place) => before[place]),
      ],
      leastTop: 10,
      // A single slow code lies above the plot. The words of its day name its time.
      mostTop: 2 * Math.max(10, ...usual.map((seconds) => seconds ?? 0), ...before.map((seconds) => seconds ?? 0)),
      scale: 'seconds',
      formatValue: (value) => (value === 0 ? '0' : formatDuration(t, value)),
    },
    summary: t('plot.median.total', { time: formatDuration(t, data.total.median_seconds ?? 0) }),
    legend: [
      ...weightLegend(Math.max(...steps.map(({ codes }) => codes)), { ...speech, of: 'median', dot: 'bg-ink/60' }),
      { text: t('plot.share.mean', { unit, count: MEAN_STEPS }), look: 'h-0! w-4! border-t-2 border-ink' },
      ...legendOf(data, t),
    ],
    wordsOfStep: ofStep(data, speech, ({ median_seconds: seconds }, day, place) =>
      seconds === null
        ? t('plot.median.none', { day })
        : t('plot.median.at', {
            day,
            time: formatDuration(t, seconds),
            usual: formatDuration(t, usual[place] ?? seconds),
            unit,
            count: MEAN_STEPS,
          }),
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
  const before = stepsOf(data.before)
  const heights = (place: number) => {
    const sum = before[place]
    return sum === undefined ? null : heightOf(sum)
  }
  return [series, ...covering, ...beforeOf(data, heights)]
}

function beforeOf(data: Data, heightOf: (place: number) => number | null | undefined): PlotSeries[] {
  if (data.before.total.purchases === 0) return []
  // A day of the clock change has an hour more or less than the day before.
  const values = stepsOf(data).map((_, place) => heightOf(place) ?? null)
  return [{ kind: 'dashes', color: '--muted', values }]
}

function legendOf({ before }: Data, t: Words): PlotOf['legend'] {
  return before.total.purchases === 0
    ? []
    : [{ text: t('plot.before'), look: 'h-0! w-4! border-t-2 border-dashed border-muted' }]
}

function axisOf(data: Data, speech: Speech): Pick<PlotSpec, 'steps' | 'isHourly' | 'formatStep'> {
  return {
    steps: stepsOf(data).map(({ at }) => at),
    isHourly: data.hours !== null,
    formatStep: readerOf(data, speech).short,
  }
}

function ofStep(data: Data, speech: Speech, say: (sum: StepSum, step: string, index: number) => string) {
  const { long } = readerOf(data, speech)
  const steps = stepsOf(data)
  return (index: number): string => {
    const sum = steps[index]
    return sum === undefined ? '' : say(sum, long(sum.at), index)
  }
}
