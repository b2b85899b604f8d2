import { FileText } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SupportFile, SupportMessage } from '#contract/support.ts'
import { useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { Prose } from '#web/reading/prose.tsx'
import { downloadFile } from '#web/session/download.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { FileSize } from './file-size.tsx'
import { MessagePicture } from './message-picture.tsx'

/** The member's stand to the right, those of support to the left. */
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
      {message.files.length === 0 ? null : (
        <ul className="mt-3 flex flex-wrap gap-2">
          {message.files.map((file) => (
            <li key={file.id} className="max-w-full min-w-0">
              {file.type === 'application/pdf' ? <Attachment file={file} /> : <MessagePicture file={file} />}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Saved, never opened on our pages. */
function Attachment({ file }: { file: SupportFile }) {
  const app = useAppContext()
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  async function save(): Promise<void> {
    setPending(true)
    try {
      saveFile(file.name, await downloadFile(app, `/api/v1/support/files/${file.id}`, {}))
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <button
      type="button"
      aria-disabled={pending}
      aria-busy={pending}
      className="flex min-h-10 max-w-full items-center gap-2 rounded border border-edge bg-surface px-3 text-[15px] hover:bg-sunken"
      onClick={() => (pending ? undefined : inBackground(save()))}
    >
      <FileText size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">{file.name}</span>
      <FileSize bytes={file.bytes} />
    </button>
  )
}
