import { useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import type { PlotSpec } from './draw-plot.ts'

type PlotProps = {
  title: string
  /** Memoise the spec, because another object redraws the plot. */
  spec: PlotSpec
  summary: string
  wordsOfStep: (index: number) => string
  legend?: readonly { text: string; look: string }[]
  failedText: string
  onFailed: () => void
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

/** Renders a plot, whose script loads in the browser. Screen readers get `summary` and a table instead. */
export function Plot({ title, spec, summary, wordsOfStep, legend, failedText, onFailed }: PlotProps) {
  const titleId = useId()
  const [step, setStep] = useState<number | null>(null)
  const words = step === null || spec.steps[step] === undefined ? summary : wordsOfStep(step)
  const [failed, setFailed] = useState(false)
  const theme = useStore(useAppContext().theme)
  const systemDark = useSystemDark()
  const fail = () => {
    setFailed(true)
    onFailed()
  }
  return (
    <figure aria-labelledby={titleId} className="min-w-0 rounded border border-hairline bg-surface p-4 pb-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span id={titleId} className="font-semibold">
          {title}
        </span>
        {legend === undefined ? null : (
          <span className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted max-sm:basis-full">
            {legend.map(({ text, look }) => (
              <span key={text} className="inline-flex items-center gap-1.5">
                <span aria-hidden className={`size-2.5 shrink-0 rounded-[2px] ${look}`} />
                {text}
              </span>
            ))}
          </span>
        )}
        <span className="tabular min-h-5 basis-full text-[13px] max-sm:min-h-10 sm:truncate text-muted">{words}</span>
      </figcaption>
      {failed ? (
        <p className="mt-2 grid h-50 place-items-center text-muted">{failedText}</p>
      ) : (
        <Canvas key={`${theme} ${systemDark}`} spec={spec} onStep={setStep} onFailed={fail} />
      )}
    </figure>
  )
}

type CanvasProps = { spec: PlotSpec; onStep: (index: number | null) => void; onFailed: () => void }

/** Draws on a canvas. A canvas keeps its colours, so a change of the theme needs a new canvas. */
function Canvas({ spec, onStep, onFailed }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const tellFailed = useEffectEvent(onFailed)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let gone = false
    let remove: (() => void) | undefined
    import('./draw-plot.ts').then(
      ({ drawPlot }) => {
        if (!gone) remove = drawPlot(element, spec, onStep)
      },
      (error: unknown) => {
        reportError(error)
        if (!gone) tellFailed()
      },
    )
    return () => {
      gone = true
      remove?.()
    }
  }, [spec, onStep])
  return <div ref={place} aria-hidden className="mt-2 h-50 min-w-0" />
}

function useSystemDark(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(SYSTEM_DARK)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => matchMedia(SYSTEM_DARK).matches,
    () => false,
  )
}
