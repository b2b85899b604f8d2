import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LOCALES, type Locale } from '#contract/constants.ts'
import { ANSWER_MAX_LENGTH, ANSWER_TITLE_MAX_LENGTH } from '#contract/staff/staff-constants.ts'
import type { Answer } from '#contract/staff/staff-room.ts'
import { useSubmit } from '#web/forms/use-submit.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ANSWERS_KEY } from './answers-key.ts'

export function AnswerForm({ answer, onDone }: { answer?: Answer; onDone: () => void }) {
  const t = useTranslations('staff.answers')
  const api = useApi()
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ title: answer?.title ?? '', ru: answer?.ru ?? '', en: answer?.en ?? '' })
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  // The form checks nothing, because the server has the rules.
  const { errors, sending, submit } = useSubmit({ names: ['title', ...LOCALES], check: () => ({}), send: save })
  async function save(): Promise<void> {
    if (answer === undefined) await api('POST /api/v1/staff/answers', values)
    else await api('PUT /api/v1/staff/answers/{id}', { id: answer.id, ...values })
    await refetch(queryClient, { queryKey: [ANSWERS_KEY] })
    onDone()
  }
  return (
    <form onSubmit={(event) => inBackground(submit(event))} noValidate className="grid gap-4">
      <TextField
        ref={first}
        name="title"
        label={t('name')}
        maxLength={ANSWER_TITLE_MAX_LENGTH}
        autoComplete="off"
        value={values.title}
        onChange={(event) => setValues({ ...values, title: event.target.value })}
        error={errors.title}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {LOCALES.map((language) => (
          <TextArea
            key={language}
            language={language}
            label={t(language === 'ru' ? 'russian' : 'english')}
            value={values[language]}
            error={errors[language]}
            onText={(text) => setValues({ ...values, [language]: text })}
          />
        ))}
      </div>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" aria-disabled={sending} aria-busy={sending}>
          {t('save')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

type TextAreaProps = {
  language: Locale
  label: string
  value: string
  error: string | undefined
  onText: (text: string) => void
}

function TextArea({ language, label, value, error, onText }: TextAreaProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        name={language}
        lang={language}
        rows={6}
        maxLength={ANSWER_MAX_LENGTH}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        value={value}
        onChange={(event) => onText(event.target.value)}
        className={`block w-full rounded border bg-surface px-3 py-2 text-base text-ink ${error === undefined ? 'border-edge' : 'border-error'}`}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}
