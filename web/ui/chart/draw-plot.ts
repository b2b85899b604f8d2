import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import { namedDays, namedHours, SCALE_STEPS, type ScaleSteps } from './scale-steps.ts'

export type PlotColor = '--ink' | '--muted' | '--received' | '--edge'

export type PlotSeries = {
  /** The series has a value for each step. For null nothing is drawn. */
  values: readonly (number | null)[]
  /**
   * Bars of several series share one place, and later series cover earlier series. An earlier time is dashed. A mean
   * has a gap at each null. Dots have the areas of their weights.
   */
  kind: 'bars' | 'line' | 'mean' | 'dashes' | 'dots'
  color: PlotColor
  /** The weights of dots, one for each value. */
  weights?: readonly number[]
}

export type PlotSpec = {
  /** The hours or days of the plot. */
  steps: readonly string[]
  isHourly: boolean
  series: readonly PlotSeries[]
  /** The scale reaches at least this value, because otherwise a single purchase would fill the plot. */
  leastTop: number
  mostTop?: number
  scale?: ScaleSteps
  formatStep: (step: string) => string
  formatValue: (value: number) => string
}

const HEIGHT_PX = 200
const FONT = '12px "Inter Variable", system-ui, sans-serif'
const DAY_STEPS = [1, 2, 3, 5, 7, 14, 30, 60, 90]
const HOUR_STEPS = [1, 2, 3, 6, 12, 24]
/** The maximum number of values for which points are drawn, because more points would touch each other. */
const MOST_POINTS = 45
/** The width of a bar as a share of the step. Very narrow bars have no gaps, because the gaps would flicker. */
const BAR_SHARE = 0.7
const MOST_SPACED_BARS = 100
const WIDEST_BAR_PX = 28
const LETTER_PX = 7
const DOT_OPACITY = 0.6
const LEAST_DOT_PX = 1.5
/** Dots stay apart from those of the next steps, and never cover the plot. */
const MOST_DOT_PX = 6

/** Draws the plot and returns a disposer. `onStep` gets the index of the step under the pointer, or null. */
export function drawPlot(element: HTMLElement, spec: PlotSpec, onStep: (index: number | null) => void): () => void {
  const colorOf = (name: PlotColor | '--hairline') => resolveColor(element, name)
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.5, spec.steps.length - 0.5] },
      y: { range: (_plot, _least, most) => [0, topOf(spec, most)] },
    },
    axes: axesOf(spec, colorOf),
    series: [{}, ...spec.series.map((series) => seriesOf(series, colorOf(series.color), spec.steps.length))],
    hooks: {
      setCursor: [({ cursor }) => onStep(cursor.idx ?? null)],
      drawSeries: [
        (plot, place) => {
          const series = spec.series[place - 1]
          if (series?.kind === 'dots') drawDots(plot, series, colorOf(series.color))
        },
      ],
    },
  }
  const indexes = spec.steps.map((_, index) => index)
  const plot = new uPlot(options, [indexes, ...spec.series.map(({ values }) => [...values])], element)
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: HEIGHT_PX })
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

/** Resolves a colour for the canvas with a new element, because an existing element may be in a colour transition. */
function resolveColor(place: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function topOf({ leastTop, mostTop = Number.POSITIVE_INFINITY }: PlotSpec, most: number | null): number {
  // Headroom keeps the highest value from being cut.
  return Math.min(mostTop, Math.max(leastTop, (most ?? 0) * 1.05))
}

function axesOf(spec: PlotSpec, colorOf: (name: '--muted' | '--hairline') => string): uPlot.Axis[] {
  const common = { stroke: colorOf('--muted'), font: FONT, ticks: { show: false } }
  return [
    {
      ...common,
      grid: { show: false },
      size: 28,
      space: 64,
      incrs: spec.isHourly ? HOUR_STEPS : DAY_STEPS,
      splits: (_plot, _axis, _least, _most, step) =>
        spec.isHourly ? namedHours(spec.steps.length, step) : namedDays(spec.steps.length, step),
      values: (_plot, splits) => splits.map((index) => formatSplit(spec, index)),
    },
    {
      ...common,
      grid: { stroke: colorOf('--hairline'), width: 1 },
      space: 36,
      ...(spec.scale === undefined ? {} : { incrs: [...SCALE_STEPS[spec.scale]] }),
      size: (_plot, values) => Math.max(0, ...(values ?? []).map((text) => text.length)) * LETTER_PX + 14,
      values: (_plot, splits) => splits.map(spec.formatValue),
    },
  ]
}

function formatSplit({ steps, formatStep }: PlotSpec, index: number): string {
  const step = steps[index]
  return step === undefined ? '' : formatStep(step)
}

function seriesOf({ kind, values }: PlotSeries, color: string, count: number): uPlot.Series {
  if (kind === 'dashes') {
    return { stroke: color, width: 1.5, dash: [4, 4], spanGaps: true, points: { show: false } }
  }
  if (kind === 'line') {
    const known = values.filter((value) => value !== null).length
    return {
      stroke: color,
      width: 2,
      spanGaps: true,
      points: { show: known <= MOST_POINTS, size: 6, fill: color },
    }
  }
  if (kind === 'mean') return { stroke: color, width: 2, points: { show: false } }
  // The hook draws the dots, because uPlot draws all points of a series in one size.
  if (kind === 'dots') return { paths: () => null, points: { show: false } }
  const paths = uPlot.paths.bars?.({
    size: [count > MOST_SPACED_BARS ? 1 : BAR_SHARE, WIDEST_BAR_PX],
    radius: count > MOST_POINTS ? 0 : 0.1,
  })
  return { fill: color, width: 0, points: { show: false }, ...(paths === undefined ? {} : { paths }) }
}

function drawDots(plot: uPlot, { values, weights = [] }: PlotSeries, color: string): void {
  const { ctx } = plot
  const step = Math.abs(plot.valToPos(1, 'x') - plot.valToPos(0, 'x'))
  const largest = Math.min(MOST_DOT_PX, Math.max(2 * LEAST_DOT_PX, step / 2))
  const heaviest = Math.max(1, ...weights)
  ctx.save()
  ctx.fillStyle = color
  ctx.globalAlpha = DOT_OPACITY
  values.forEach((value, index) => {
    if (value === null) return
    const radius = Math.max(LEAST_DOT_PX, largest * Math.sqrt((weights[index] ?? 1) / heaviest))
    ctx.beginPath()
    ctx.arc(plot.valToPos(index, 'x', true), plot.valToPos(value, 'y', true), radius * uPlot.pxRatio, 0, 2 * Math.PI)
    ctx.fill()
  })
  ctx.restore()
}
