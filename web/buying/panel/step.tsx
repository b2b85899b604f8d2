import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { StepNumber } from './step-number.tsx'
import type { StepLook } from './steps.ts'

type StepProps = {
  number: 1 | 2 | 3 | 4
  title: string
  chosen: ReactNode
  look: StepLook
  open: boolean
  onToggle: () => void
  children: ReactNode
}

const OPEN = 'lg:min-h-44 lg:grow lg:basis-88'
const LOOKS: Record<StepLook, { step: string; body: string }> = {
  open: { step: OPEN, body: 'flex' },
  'open-when-wide': { step: OPEN, body: 'flex max-lg:hidden' },
  closed: { step: '', body: 'hidden' },
}

export function Step({ number, title, chosen, look, open, onToggle, children }: StepProps) {
  const t = useTranslations('buy')
  const id = `buy-step-${number}`
  const looks = LOOKS[look]
  return (
    <section
      className={`flex min-h-13 flex-col border-hairline not-first-of-type:border-t ${looks.step}`}
      data-look={look}
      aria-labelledby={id}
    >
      <h3 className="contents">
        <button
          type="button"
          id={id}
          className="flex min-h-13 w-full items-center gap-3 px-4 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2"
          aria-expanded={open}
          title={chosen === null ? undefined : t('change')}
          onClick={onToggle}
        >
          <StepNumber number={number} />
          <span className={chosen === null ? 'flex-1 font-semibold' : 'sr-only'}>{title}</span>
          {chosen === null ? null : (
            <span className="flex min-w-0 flex-1 items-center gap-2.5 font-semibold">{chosen}</span>
          )}
          <ChevronDown
            size={18}
            aria-hidden
            className={`shrink-0 text-muted transition-[rotate] duration-150 ease-calm ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <div className={`min-h-0 flex-auto flex-col ${looks.body}`}>{children}</div>
    </section>
  )
}
