import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './drawings/drawing.tsx'

type EmptyStateProps = {
  title: string
  text?: string
  children?: ReactNode
  /** Screen readers announce an `error`, but not an `empty` state. */
  kind?: 'empty' | 'error'
  drawing?: DrawingName
}

export function EmptyState({ title, text, children, kind = 'empty', drawing }: EmptyStateProps) {
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className="@container overflow-hidden rounded border border-dashed border-edge/60"
    >
      <div className="flex min-h-40 items-center gap-6 px-6 py-8">
        <div className="min-w-0 flex-1">
          <p className={`text-lg font-semibold ${kind === 'error' ? 'text-error' : ''}`}>{title}</p>
          {text === undefined ? null : <p className="mt-1 max-w-md text-muted">{text}</p>}
          {children === undefined ? null : <div className="mt-5">{children}</div>}
        </div>
        <Drawing
          name={drawing ?? (kind === 'error' ? 'switchboard' : 'postmark')}
          className="-my-4 -mr-2 hidden h-32 shrink-0 text-edge/70 @lg:block"
        />
      </div>
    </div>
  )
}
