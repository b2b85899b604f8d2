import { useId } from 'react'
import { useTranslations } from 'use-intl'

const MIN_ROWS = 3

type BodyFieldProps = { text: string; onChange: (text: string) => void; error: string | undefined }

export function BodyField({ text, onChange, error }: BodyFieldProps) {
  const t = useTranslations('reference')
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('body')}
      </label>
      <textarea
        id={id}
        rows={Math.max(MIN_ROWS, text.split('\n').length)}
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        className={`block w-full rounded border bg-surface px-3 py-2.5 font-mono text-[15px] text-ink ${error === undefined ? 'border-edge' : 'border-error'}`}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}
