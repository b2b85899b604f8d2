import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { CodeLanguage } from '#web/screens/doc/examples/request.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import { useApiKey, useReader } from './reader.tsx'

/** Writes an example for its reader. */
export type Write = (reader: { site: string; language: CodeLanguage; apiKey: string }) => string

type CodePanelProps = {
  /** The id of the call or part. */
  anchor: string
  /** The call or example, as screen readers name the panel's buttons. */
  name: string
  /** Writes the request; null if the panel only shows what comes. */
  write: Write | null
  codeTitle: string
  /** The recorded reply of the running service; null if there is none. */
  reply: string | null
  replyTitle: string
}

/** Renders the request and its recorded reply, dark in both themes. On the phone both are folded under the text. */
export function CodePanel({ anchor, name, write, codeTitle, reply, replyTitle }: CodePanelProps) {
  const t = useTranslations('examples')
  // Browsers open a folded call for an element inside it, but not for the call itself.
  const id = `${anchor}.code`
  return (
    <div id={id} className={PANEL_LOOK}>
      {write === null ? null : (
        <Fold title={codeTitle}>
          <Request write={write} name={name}>
            <LanguageTabs anchor={id} name={name} />
          </Request>
        </Fold>
      )}
      {reply === null ? null : (
        <Fold title={replyTitle}>
          <div className="hidden items-center justify-between border-t border-hairline pr-1 pl-4 lg:flex noscript:flex">
            <p className="text-[13px] text-muted">{replyTitle}</p>
            <CopyButton text={reply} label={t('copyReply', { name })} />
          </div>
          <Code text={reply} className="lg:pt-0" />
        </Fold>
      )}
    </div>
  )
}

const PANEL_LOOK =
  'dark scroll-mt-20 min-w-0 self-start overflow-hidden rounded border border-hairline bg-paper text-ink lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto'

/** Writes the request with the reader's key. The tabs are children, so that a typed character does not draw them. */
function Request({ write, name, children }: { write: Write; name: string; children: ReactNode }) {
  const t = useTranslations('examples')
  const { site, language } = useReader()
  const [apiKey] = useApiKey()
  const code = write({ site, language, apiKey })
  return (
    <>
      <div className="flex items-start justify-between border-b border-hairline pr-1 pl-1.5">
        {children}
        <CopyButton text={code} label={t('copyRequest', { name })} />
      </div>
      <Code text={code} />
    </>
  )
}

function Code({ text, className = '' }: { text: string; className?: string }) {
  return (
    <pre className={`px-4 py-3 font-mono text-[13px] leading-relaxed wrap-anywhere whitespace-pre-wrap ${className}`}>
      {text}
    </pre>
  )
}

/** Renders a part that the phone folds. Without scripts nothing could unfold the part, so it is open. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        className="flex min-h-11 w-full items-center justify-between border-b border-hairline px-4 text-sm font-medium last:border-b-0 lg:hidden noscript:hidden"
        onClick={() => setOpen(!open)}
      >
        {title}
        <ChevronDown size={18} aria-hidden className={open ? 'rotate-180' : ''} />
      </button>
      <div id={id} className={open ? '' : 'hidden lg:block noscript:block'}>
        {children}
      </div>
    </>
  )
}
