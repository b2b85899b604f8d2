import '../panel/panel.css'
import { useTranslations } from 'use-intl'
import type { ListedError } from '#contract/calls/reference-calls.ts'
import { Link } from '#web/navigation/link.tsx'
import { ENTRY_LOOK } from './looks.ts'

export function ErrorEntry({ error }: { error: ListedError }) {
  const { code, status, sentences, remedy, calls } = error
  return (
    <li id={code} className={ENTRY_LOOK}>
      <div className="flex flex-wrap items-baseline gap-x-3 md:flex-col">
        <h3 className="min-w-0 font-mono text-[13px] font-semibold wrap-anywhere">
          <a href={`#${code}`} className="underline-offset-4 hover:underline">
            {code}
          </a>
        </h3>
        <span className="tabular text-sm text-muted">{status}</span>
      </div>
      <div className="min-w-0">
        {sentences.map((sentence) => (
          <p key={sentence} className="text-muted">
            {sentence}
          </p>
        ))}
        <p className="mt-1">{remedy}</p>
        {calls.length === 0 ? null : <Calls calls={calls} />}
      </div>
    </li>
  )
}

function Calls({ calls }: Pick<ListedError, 'calls'>) {
  const t = useTranslations('errorList')
  return (
    <details>
      <summary className="cursor-pointer py-2 text-sm text-muted hover:text-ink">
        {t('calls', { count: calls.length })}
      </summary>
      <ul>
        {calls.map(({ id, name }) => (
          <li key={id}>
            <Link to={`/doc/api#${id}`} className="code-link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
