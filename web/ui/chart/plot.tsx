import { useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useAppContext } from '#web/app-context.ts'
import { useStore } from '#web/store.ts'
import type { PlotSpec } from './draw-plot.ts'

type PlotProps = {
  title: string
  /** Keep the same object while nothing changes: another one is drawn anew. */
  spec: PlotSpec
  /** What all the days come to, in a sentence. Under the pointer a day says its own. */
  summary: string
  wordsOfDay: (index: number) => string
  /** What the colours mean, when there are several. */
  legend?: readonly { text: string; look: string }[]
  /** Said in its place when the plot cannot be fetched. */
  failedText: string
  onFailed: () => void
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

/**
 * A plot with its title and its sum. What draws it is fetched in the browser when it is needed; the place has its final
 * height before that. A canvas says nothing to those who cannot see it: the sentence does, and the table beside the plots.
 */
export function Plot({ title, spec, summary, wordsOfDay, legend, failedText, onFailed }: PlotProps) {
  const titleId = useId()
  const [day, setDay] = useState<number | null>(null)
  const words = day === null || spec.days[day] === undefined ? summary : wordsOfDay(day)
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
          <span className="flex gap-3 text-[13px] text-muted">
            {legend.map(({ text, look }) => (
              <span key={text} className="inline-flex items-center gap-1.5">
                <span aria-hidden className={`size-2.5 rounded-[2px] ${look}`} />
                {text}
              </span>
            ))}
          </span>
        )}
        <span className="tabular min-h-5 basis-full truncate text-[13px] text-muted">{words}</span>
      </figcaption>
      {failed ? (
        <p className="mt-2 grid h-50 place-items-center text-muted">{failedText}</p>
      ) : (
        <Canvas key={`${theme} ${systemDark}`} spec={spec} onDay={setDay} onFailed={fail} />
      )}
    </figure>
  )
}

type CanvasProps = { spec: PlotSpec; onDay: (index: number | null) => void; onFailed: () => void }

/** Colours are read when it is drawn: with another theme it is another canvas. */
function Canvas({ spec, onDay, onFailed }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null)
  const tellFailed = useEffectEvent(onFailed)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let gone = false
    let remove: (() => void) | undefined
    import('./draw-plot.ts').then(
      ({ drawPlot }) => {
        if (!gone) remove = drawPlot(element, spec, onDay)
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
  }, [spec, onDay])
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
