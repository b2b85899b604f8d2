import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { StepLook } from './steps.ts'

type StepProps = {
  number: 1 | 2 | 3
  title: string
  /** The choice, shown in the step's head. */
  chosen: ReactNode
  look: StepLook
  /** `look` as it applies to this screen. */
  open: boolean
  onToggle: () => void
  children: ReactNode
}

export function Step({ number, title, chosen, look, open, onToggle, children }: StepProps) {
  const t = useTranslations('buy')
  const id = `buy-step-${number}`
  return (
    <section className="step" data-look={look} aria-labelledby={id}>
      <h3 className="contents">
        <button
          type="button"
          id={id}
          className="step-head"
          aria-expanded={open}
          title={chosen === null ? undefined : t('change')}
          onClick={onToggle}
        >
          <span className="step-number" aria-hidden>
            {number}
          </span>
          <span className={chosen === null ? 'flex-1 font-semibold' : 'sr-only'}>{title}</span>
          {chosen === null ? null : (
            <span className="flex min-w-0 flex-1 items-center gap-2.5 font-semibold">{chosen}</span>
          )}
          <ChevronDown size={18} aria-hidden className="step-chevron shrink-0 text-muted" />
        </button>
      </h3>
      <div className="step-body">{children}</div>
    </section>
  )
}
