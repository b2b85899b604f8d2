import type { ReactNode } from 'react'
import { Postmark } from './ticket/postmark.tsx'

type EmptyStateProps = {
  title: string
  text?: string
  /** The one thing to do next. */
  children?: ReactNode
  /** An error is announced; emptiness is not. */
  kind?: 'empty' | 'error'
}

/** Where there is nothing to show: what happened, what to do, one button. */
export function EmptyState({ title, text, children, kind = 'empty' }: EmptyStateProps) {
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className="relative flex min-h-40 flex-col items-start justify-center gap-1 overflow-hidden rounded border border-dashed border-edge/60 px-6 py-8"
    >
      <Postmark className="pointer-events-none absolute -right-6 top-1/2 h-36 -translate-y-1/2 text-hairline" />
      <p className={`relative text-lg font-semibold ${kind === 'error' ? 'text-error' : ''}`}>{title}</p>
      {text === undefined ? null : <p className="relative max-w-md text-muted">{text}</p>}
      {children === undefined ? null : <div className="relative mt-4">{children}</div>}
    </div>
  )
}
