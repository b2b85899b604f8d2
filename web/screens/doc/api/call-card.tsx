import { useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { ReferenceCall, ReferenceField } from '#contract/calls/reference-calls.ts'
import { useLocation } from '#web/navigation/use-page.ts'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { CodeBlock } from './code-block.tsx'
import { curlExample, typescriptExample } from './examples.ts'
import { TryCall } from './try-call.tsx'

type CallCardProps = {
  call: ReferenceCall
  site: string
  apiKey: string
  /** True if the search does not match the call. The card stays mounted, so that its form keeps the input. */
  hidden: boolean
}

export function CallCard({ call, site, apiKey, hidden }: CallCardProps) {
  const t = useTranslations('reference')
  const name = `${call.method} ${call.path}`
  return (
    <details ref={useOpenedByHash(call.id)} id={call.id} hidden={hidden} className={LOOK}>
      <summary className="cursor-pointer px-4 py-3">
        <h3 className="inline font-medium">{call.summary}</h3>
        <span className="mt-1 flex flex-wrap items-baseline gap-x-3 text-sm">
          <code className="font-mono text-[13px] wrap-anywhere">{name}</code>
          <span className="text-muted">{t(`scope.${call.scope ?? 'none'}`)}</span>
        </span>
      </summary>
      <div className="grid gap-4 border-t border-hairline px-4 py-4">
        <Fields fields={call.fields} />
        {call.once ? <p className="text-sm text-muted">{t('once')}</p> : null}
        <CodeBlock title="curl" text={curlExample(call, site)} copyLabel={t('copyCurl', { call: name })} />
        <CodeBlock title="TypeScript" text={typescriptExample(call)} copyLabel={t('copyTypescript', { call: name })} />
        <TryCall call={call} apiKey={apiKey} />
        <CodeBlock
          title={t('answer', { status: call.status })}
          text={call.reply}
          copyLabel={t('copyAnswer', { call: name })}
        />
        <a href={`#${call.id}`} className={`inline-flex min-h-10 items-center justify-self-start ${TEXT_BUTTON_LOOK}`}>
          {t('link')}
        </a>
      </div>
    </details>
  )
}

const LOOK = 'rounded border border-hairline bg-surface'

/** Opens the card in a layout effect if the hash names it, because the page scrolls to the hash afterwards. */
function useOpenedByHash(id: string) {
  const card = useRef<HTMLDetailsElement>(null)
  const location = useLocation()
  useLayoutEffect(() => {
    if (card.current !== null && location.hash === `#${id}`) card.current.open = true
  }, [location, id])
  return card
}

function Fields({ fields }: { fields: readonly ReferenceField[] }) {
  const t = useTranslations('reference')
  return (
    <div>
      <h4 className="text-sm font-medium">{t('takes')}</h4>
      {fields.length === 0 ? <p className="mt-1 text-sm text-muted">{t('takesNothing')}</p> : null}
      <ul className="divide-y divide-hairline">
        {fields.map(({ name, in: place, required, type }) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-3 py-1.5 text-sm">
            <code className="font-mono font-medium">{name}</code>
            <code className="min-w-0 font-mono text-[13px] text-muted wrap-anywhere">{type}</code>
            <span className="ml-auto text-muted">
              {t(`in.${place}`)}
              {required ? `, ${t('required')}` : ''}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
