import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import {
  DIALECT_NAMES,
  KEY_DIALECTS,
  KEY_SCOPES,
  type KeyRecord,
  type KeyScope,
  MAX_KEY_NAME,
} from '#contract/api-key.ts'
import { useApi } from '#web/app-context.ts'
import { maxLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectBox } from '#web/ui/fields/first/select-box.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/first/price.tsx'
import type { MadeSecret } from './new-secret.tsx'
import { type Rules, useRules } from './use-rules.ts'

type MakeKeyFormProps = { onMade: (made: MadeSecret) => void; onCancel: () => void }

export function MakeKeyForm({ onMade, onCancel }: MakeKeyFormProps) {
  const t = useTranslations('keys.form')
  const api = useApi()
  const words = { title: t('title'), submit: t('submit'), submitting: t('submitting') }
  async function make(name: string, { day_limit: limit, ...input }: RulesInput): Promise<() => void> {
    const { secret, data } = await api('POST /api/v1/keys', {
      name,
      ...input,
      ...(limit !== null && { day_limit: limit }),
    })
    return () => onMade({ id: data.id, name: data.name, secret })
  }
  return <KeyForm known={null} words={words} send={make} onCancel={onCancel} />
}

type EditKeyFormProps = { record: KeyRecord; onSaved: () => void; onCancel: () => void }

/** The secret stays. A key that is to do more asks for the password. */
export function EditKeyForm({ record, onSaved, onCancel }: EditKeyFormProps) {
  const t = useTranslations('keys.form')
  const api = useApi()
  const words = { title: t('editTitle', { name: record.name }), submit: t('save'), submitting: t('saving') }
  async function save(name: string, input: RulesInput): Promise<() => void> {
    await api('PATCH /api/v1/keys/{id}', { id: record.id, name, ...input })
    return onSaved
  }
  return <KeyForm known={record} words={words} send={save} onCancel={onCancel} />
}

type RulesInput = ReturnType<Rules['input']>

type KeyFormProps = {
  known: KeyRecord | null
  words: { title: string; submit: string; submitting: string }
  /** Resolves to what is done once the list is there anew. */
  send: (name: string, input: RulesInput) => Promise<() => void>
  onCancel: () => void
}

function KeyForm({ known, words, send, onCancel }: KeyFormProps) {
  const t = useTranslations('keys.form')
  const queryClient = useQueryClient()
  const rules = useRules(known)
  const root = useRef<HTMLFormElement>(null)
  const form = useForm({
    initial: { name: known?.name ?? '' },
    rules: { name: [required, maxLength(MAX_KEY_NAME)] },
    labels: { name: t('name') },
    mayBeSent: rules.check,
    send: async ({ name }) => {
      const done = await send(name.trim(), rules.input())
      await askAgain(queryClient, { queryKey: ['keys'] })
      done()
    },
  })
  // The pressed button has unmounted.
  useEffect(() => root.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={root}
      noValidate
      method="post"
      aria-label={words.title}
      className="grid gap-5 not-first:mt-4 rounded border border-hairline bg-surface p-4 sm:p-5"
      onSubmit={(event) => inBackground(form.submit(event))}
    >
      <h3 className="text-lg font-semibold">{words.title}</h3>
      <TextField
        {...form.text('name')}
        maxLength={MAX_KEY_NAME}
        autoComplete="off"
        placeholder={t('namePlaceholder')}
      />
      <Scopes rules={rules} />
      <Bounds rules={rules} />
      <Dialect rules={rules} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" aria-disabled={form.sending}>
          {form.sending ? words.submitting : words.submit}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

function Scopes({ rules }: { rules: Rules }) {
  const t = useTranslations('keys')
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t('form.scopes')}</legend>
      {KEY_SCOPES.map((scope) => (
        <Scope key={scope} scope={scope} rules={rules} />
      ))}
      <div role="alert">
        {rules.errors.scopes === undefined ? null : <p className="text-sm text-error">{rules.errors.scopes}</p>}
      </div>
    </fieldset>
  )
}

function Scope({ scope, rules }: { scope: KeyScope; rules: Rules }) {
  const t = useTranslations('keys')
  return (
    <label className="flex min-h-10 items-start gap-3 py-1.5">
      <input
        type="checkbox"
        name={`scope-${scope}`}
        checked={rules.scopes.includes(scope)}
        className="mt-0.5 size-5 shrink-0 accent-(--signal-fill)"
        onChange={(event) => rules.choose(scope, event.currentTarget.checked)}
      />
      <span>
        {t(`scopes.${scope}`)}
        <span className="block text-sm text-muted">{t(`scopeTexts.${scope}`)}</span>
      </span>
    </label>
  )
}

function Bounds({ rules }: { rules: Rules }) {
  const t = useTranslations('keys.form')
  const currency = useCurrency()
  return (
    <>
      <div>
        <TextField
          label={t('addresses')}
          name="addresses"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="203.0.113.7, 2001:db8::/32"
          className="[&_input]:font-mono"
          value={rules.addresses}
          error={rules.errors.addresses}
          onChange={(event) => rules.setAddresses(event.currentTarget.value)}
        />
        <p className="mt-1.5 text-sm text-muted">{t('addressesText')}</p>
      </div>
      <div>
        <TextField
          label={t('dayLimit', { currency: CURRENCY_SIGNS[currency] })}
          name="day_limit"
          inputMode="decimal"
          autoComplete="off"
          className="max-w-60"
          value={rules.dayLimit}
          error={rules.errors.dayLimit}
          onChange={(event) => rules.setDayLimit(event.currentTarget.value)}
        />
        <p className="mt-1.5 text-sm text-muted">{t('dayLimitText')}</p>
      </div>
    </>
  )
}

/** Whose programs it speaks like. */
function Dialect({ rules }: { rules: Rules }) {
  const t = useTranslations('keys.form')
  return (
    <div>
      <SelectBox
        label={t('dialect')}
        labelShown
        name="dialect"
        className="max-w-80"
        value={rules.dialect ?? ''}
        onChange={({ currentTarget: { value } }) =>
          rules.setDialect(KEY_DIALECTS.find((dialect) => dialect === value) ?? null)
        }
      >
        <option value="">{t('anyDialect')}</option>
        {KEY_DIALECTS.map((dialect) => (
          <option key={dialect} value={dialect}>
            {DIALECT_NAMES[dialect]}
          </option>
        ))}
      </SelectBox>
      <p className="mt-1.5 text-sm text-muted">{t('dialectText')}</p>
    </div>
  )
}
