import { useTranslations } from 'use-intl'
import type { SupportMessage } from '#contract/support/support.ts'
import { Prose } from '#web/reading/prose.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { FileList } from './file-list.tsx'

export function MessageRow({ message }: { message: SupportMessage }) {
  const t = useTranslations('support')
  const isOwn = message.author === 'user'
  return (
    <li
      data-message={message.id}
      data-author={message.author}
      className={`max-w-[min(42rem,92%)] min-w-0 rounded border px-4 py-3 ${
        isOwn ? 'ml-auto border-transparent bg-sunken' : 'mr-auto border-hairline bg-surface'
      }`}
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-[13px] text-muted">
        <span className="font-medium text-ink">{isOwn ? t('you') : t('us')}</span>
        <LocalMoment at={message.created_at} className="min-h-5" />
      </p>
      <div className="support-text mt-1.5 wrap-anywhere">
        <Prose html={message.html} />
      </div>
      <FileList files={message.files} />
    </li>
  )
}
