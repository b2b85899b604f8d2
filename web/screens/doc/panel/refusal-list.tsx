import './panel.css'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

/** Lists the refusals of a call, each as a link to what to do about it. */
export function RefusalList({ codes, heading: Heading, anchor = (code) => code, alone = false }: RefusalListProps) {
  const t = useTranslations('examples')
  const ofAll = (words: ReactNode) => (
    <Link to="/doc/errors#every" className={TEXT_BUTTON_LOOK}>
      {words}
    </Link>
  )
  return (
    <div>
      <Heading className="text-sm font-medium">{t('errors')}</Heading>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {codes.map((code) => (
          <li key={code}>
            <Link to={`/doc/errors#${anchor(code)}`} className="code-link">
              {code}
            </Link>
          </li>
        ))}
      </ul>
      {alone ? null : (
        <p className="text-sm text-muted">
          {t.rich(codes.length === 0 ? 'errorsAlone' : 'errorsOfAll', { all: ofAll })}
        </p>
      )}
    </div>
  )
}

type RefusalListProps = {
  codes: readonly string[]
  heading: 'h3' | 'h4'
  /** Returns the id of a code or word on the page of errors. */
  anchor?: ((code: string) => string) | undefined
  /** True if the protocol has no errors that every call may get. */
  alone?: boolean
}
