import { Paperclip, X } from 'lucide-react'
import { type ClipboardEvent, useId } from 'react'
import { useTranslations } from 'use-intl'
import type { SupportFile } from '#contract/support/support.ts'
import {
  FILE_MAX_BYTES,
  FILE_TYPES,
  MESSAGE_MAX_FILES,
  MESSAGE_MAX_LENGTH,
} from '#contract/support/support-constants.ts'
import { MEBIBYTE } from '#contract/time.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { FileSize } from './file-size.tsx'
import type { MessageDraft } from './message-draft.ts'
import type { ChangeDraft } from './use-draft.ts'
import type { MessageFiles, RefusedFile } from './use-message-files.ts'

const NEARLY_FULL = 1_000

type MessageFieldsProps = {
  label: string
  rows: number
  draft: MessageDraft
  onChange: ChangeDraft<MessageDraft>
  files: MessageFiles
  error?: string | undefined
}

export function MessageFields({ label, rows, draft, onChange, files, error }: MessageFieldsProps) {
  const t = useTranslations('support')
  const id = useId()
  const left = MESSAGE_MAX_LENGTH - draft.text.length
  function paste(event: ClipboardEvent): void {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    files.add(pasted)
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        name="text"
        rows={rows}
        maxLength={MESSAGE_MAX_LENGTH}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        className={`block w-full rounded border bg-surface px-3 py-2.5 text-base text-ink ${error === undefined ? 'border-edge' : 'border-error'}`}
        value={draft.text}
        onChange={(event) => onChange({ text: event.target.value })}
        onPaste={paste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <p
        id={`${id}-hint`}
        className={`mt-1.5 text-sm ${error === undefined ? 'text-muted' : 'text-error'} ${error === undefined && left > NEARLY_FULL ? 'max-lg:hidden' : ''}`}
      >
        {error ?? (left <= NEARLY_FULL ? t('left', { count: left }) : t('hint'))}
      </p>
      <Attached files={draft.files} sending={files.sending} onRemove={files.remove} />
      <Refused refused={files.refused} onDismiss={files.dismiss} />
      <FileButton
        disabled={draft.files.length + files.sending.length >= MESSAGE_MAX_FILES}
        limitsId={`${id}-limits`}
        onChosen={files.add}
      />
      <p id={`${id}-limits`} className="mt-1.5 text-sm text-muted">
        {t('limits', { count: MESSAGE_MAX_FILES, megabytes: FILE_MAX_BYTES / MEBIBYTE })}
      </p>
    </div>
  )
}

type FileButtonProps = { disabled: boolean; limitsId: string; onChosen: (files: File[]) => void }

function FileButton({ disabled, limitsId, onChosen }: FileButtonProps) {
  const t = useTranslations('support')
  return (
    <label
      className={`relative mt-3 inline-flex min-h-10 items-center gap-2 rounded border border-edge bg-surface px-4 text-[15px] font-medium focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-signal hover:bg-sunken ${disabled ? 'opacity-55' : ''}`}
    >
      <Paperclip size={16} aria-hidden className="text-muted" />
      {t('attach')}
      <input
        type="file"
        multiple
        accept={FILE_TYPES.join(',')}
        aria-describedby={limitsId}
        disabled={disabled}
        className="absolute inset-0 opacity-0"
        onChange={(event) => {
          onChosen([...(event.target.files ?? [])])
          // The input is cleared, so that the user can choose the same file again.
          event.target.value = ''
        }}
      />
    </label>
  )
}

function Refused({ refused, onDismiss }: { refused: RefusedFile[]; onDismiss: MessageFiles['dismiss'] }) {
  const t = useTranslations('support')
  return (
    <div role="alert" className="mt-2 grid gap-1 empty:hidden">
      {refused.map((one) => (
        <p key={one.key} className="flex items-center gap-2 rounded border border-error bg-surface pl-3 text-[15px]">
          <span className="min-w-0 flex-1 py-2 text-error wrap-anywhere">{one.text}</span>
          <IconButton label={t('dismissRefused', { text: one.text })} onClick={() => onDismiss(one)}>
            <X size={16} aria-hidden />
          </IconButton>
        </p>
      ))}
    </div>
  )
}

type AttachedProps = { files: SupportFile[] } & Pick<MessageFiles, 'sending'> & { onRemove: MessageFiles['remove'] }

function Attached({ files, sending, onRemove }: AttachedProps) {
  const t = useTranslations('support')
  if (files.length + sending.length === 0) return null
  return (
    <ul className="mt-2 grid gap-1" aria-label={t('attached')}>
      {files.map((file) => (
        <li key={file.id} className="flex items-center gap-2 rounded border border-hairline bg-surface pl-3">
          <span className="min-w-0 flex-1 truncate text-[15px]">{file.name}</span>
          <FileSize bytes={file.bytes} />
          <IconButton label={t('removeFile', { name: file.name })} onClick={() => onRemove(file)}>
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
      {sending.map(({ key, name }) => (
        <li key={key} role="status" className="flex min-h-10 items-center px-3 text-[15px] text-muted">
          <span className="min-w-0 truncate">{t('sending', { name })}</span>
        </li>
      ))}
    </ul>
  )
}
