import { useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { useLocation } from '#web/navigation/use-page.ts'
import { callExample } from '#web/screens/doc/examples/call-example.ts'
import { CodePanel } from '#web/screens/doc/panel/code-panel.tsx'
import { FieldList } from '#web/screens/doc/panel/field-list.tsx'
import { RefusalList } from '#web/screens/doc/panel/refusal-list.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { TryCall } from './try-call.tsx'

type CallCardProps = {
  call: ReferenceCall
  /** True if the search does not match the call. The card stays mounted, so that its form keeps the input. */
  hidden: boolean
}

export function CallCard({ call, hidden }: CallCardProps) {
  const t = useTranslations('reference')
  return (
    <details ref={useOpenedByHash(call.id)} id={call.id} hidden={hidden} className={LOOK}>
      <summary className="call-summary">
        <h3 className="font-medium">{call.summary}</h3>
        <span className="mt-1 flex flex-wrap items-baseline gap-x-3 text-sm">
          <code className="font-mono text-[13px] wrap-anywhere">
            <span className="verb" data-verb={call.method}>
              {call.method}
            </span>{' '}
            {call.path}
          </code>
          <span className="text-muted">{t(`scope.${call.scope ?? 'none'}`)}</span>
        </span>
      </summary>
      <div className="grid gap-x-6 gap-y-5 border-t border-hairline p-4 lg:grid-cols-2">
        <CallText call={call} />
        <CallCode call={call} />
      </div>
    </details>
  )
}

const LOOK = 'scroll-mt-20 rounded border border-hairline bg-surface'

/** Opens the card in a layout effect if the hash names it or its code, because the page scrolls there afterwards. */
function useOpenedByHash(id: string) {
  const card = useRef<HTMLDetailsElement>(null)
  const location = useLocation()
  useLayoutEffect(() => {
    const [named] = location.hash.slice(1).split('.')
    if (card.current !== null && named === id) card.current.open = true
  }, [location, id])
  return card
}

function CallText({ call }: { call: ReferenceCall }) {
  const t = useTranslations('reference')
  const fields = call.fields.map(({ in: place, ...field }) => ({ ...field, place: t(`in.${place}`) }))
  return (
    <div className="grid min-w-0 content-start gap-5">
      <FieldList title={t('takes')} fields={fields} heading="h4" />
      {call.once ? <p className="text-sm text-muted">{t('once')}</p> : null}
      <RefusalList codes={call.errors} heading="h4" />
      <details>
        <summary className="fold-summary text-sm font-medium">{t('answer', { status: call.status })}</summary>
        <pre className="rounded-sm bg-sunken p-3 font-mono text-[13px] leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {call.reply}
        </pre>
      </details>
      <TryCall call={call} />
      <a href={`#${call.id}`} className={`inline-flex min-h-10 items-center justify-self-start ${TEXT_BUTTON_LOOK}`}>
        {t('link')}
      </a>
    </div>
  )
}

function CallCode({ call }: { call: ReferenceCall }) {
  const t = useTranslations('examples')
  return (
    <CodePanel
      anchor={call.id}
      name={`${call.method} ${call.path}`}
      write={({ language, ...reader }) => callExample(call, language, reader)}
      codeTitle={t('request')}
      reply={call.answer}
      replyTitle={t('replyWith', { status: call.status })}
    />
  )
}
