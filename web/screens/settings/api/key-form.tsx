import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DIALECT_NAMES, KEY_DIALECTS, KEY_SCOPES, type KeyRecord, MAX_KEY_NAME } from '#contract/api-key.ts'
import { maxLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { Choice, Choices } from '#web/ui/fields/choices.tsx'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { CURRENCY_SIGNS, useCurrency } from '#web/ui/initial/price.tsx'
import { type FormWords, SecretForm } from './secrets/secret-form.tsx'
import type { MakeProps } from './secrets/secret-list.tsx'
import { type Rules, useRules } from './use-rules.ts'

export function MakeKeyForm({ onMade, onCancel }: MakeProps) {
  const t = useTranslations('keys.form')
  const api = useApi()
  const [sandbox, setSandbox] = useState(false)
  const words = { title: t('title'), submit: t('submit'), submitting: t('submitting'), cancel: t('cancel') }
  async function make(name: string, { day_limit: limit, ...input }: RulesInput): Promise<() => void> {
    const { secret, data } = await api('POST /api/v1/keys', {
      name,
      sandbox,
      ...input,
      ...(limit !== null && { day_limit: limit }),
    })
    return () => onMade({ id: data.id, name: data.name, secret })
  }
  return (
    <KeyForm known={null} sandbox={sandbox} words={words} send={make} onCancel={onCancel}>
      <Money sandbox={sandbox} onChange={setSandbox} />
    </KeyForm>
  )
}

/** Renders the form that changes an API key, but not its secret. Wider permissions require the password. */
export function EditKeyForm({ record, onDone }: { record: KeyRecord; onDone: () => void }) {
  const t = useTranslations('keys')
  const api = useApi()
  const alerts = useAlerts()
  const words = { title: t('form.editTitle', { name: record.name }), submit: t('form.save') }
  async function save(name: string, input: RulesInput): Promise<() => void> {
    await api('PATCH /api/v1/keys/{id}', { id: record.id, name, ...input })
    return () => {
      onDone()
      alerts.add({ type: 'info', text: t('changed', { name: record.name }) })
    }
  }
  return (
    <KeyForm
      known={record}
      sandbox={record.sandbox}
      words={{ ...words, submitting: t('form.saving'), cancel: t('form.cancel') }}
      send={save}
      onCancel={onDone}
    />
  )
}

type RulesInput = ReturnType<Rules['input']>

type KeyFormProps = {
  known: KeyRecord | null
  sandbox: boolean
  words: FormWords
  /** Saves the API key. Resolves to a function that runs after the list of API keys has been refetched. */
  send: (name: string, input: RulesInput) => Promise<() => void>
  onCancel: () => void
  children?: ReactNode
}

function KeyForm({ known, sandbox, words, send, onCancel, children }: KeyFormProps) {
  const t = useTranslations('keys.form')
  const queryClient = useQueryClient()
  const rules = useRules(known)
  const form = useForm({
    initial: { name: known?.name ?? '' },
    rules: { name: [required, maxLength(MAX_KEY_NAME)] },
    labels: { name: t('name') },
    mayBeSent: rules.check,
    send: async ({ name }) => {
      const done = await send(name.trim(), rules.input())
      await refetch(queryClient, { queryKey: ['keys'] })
      done()
    },
  })
  return (
    <SecretForm words={words} form={form} onCancel={onCancel}>
      <TextField
        {...form.text('name')}
        maxLength={MAX_KEY_NAME}
        autoComplete="off"
        placeholder={t('namePlaceholder')}
      />
      {children}
      <Scopes rules={rules} sandbox={sandbox} />
      <Bounds rules={rules} />
      <Dialect rules={rules} />
    </SecretForm>
  )
}

/** Renders the choice of real or play money for a new API key, because a key cannot change the kind later. */
function Money({ sandbox, onChange }: { sandbox: boolean; onChange: (sandbox: boolean) => void }) {
  const t = useTranslations('keys.form')
  return (
    <Choices legend={t('money')}>
      {[false, true].map((isPlay) => (
        <Choice
          key={String(isPlay)}
          type="radio"
          name="sandbox"
          label={t(isPlay ? 'playMoney' : 'realMoney')}
          text={t(isPlay ? 'playMoneyText' : 'realMoneyText')}
          checked={sandbox === isPlay}
          onChange={() => onChange(isPlay)}
        />
      ))}
    </Choices>
  )
}

/** Renders the scopes. Sandbox keys do not get the scope `money`, because only the page tops up play money. */
function Scopes({ rules, sandbox }: { rules: Rules; sandbox: boolean }) {
  const t = useTranslations('keys')
  const offered = KEY_SCOPES.filter((scope) => scope !== 'money' || !sandbox)
  return (
    <Choices legend={t('form.scopes')} error={rules.errors.scopes}>
      {offered.map((scope) => (
        <Choice
          key={scope}
          type="checkbox"
          name={`scope-${scope}`}
          label={t(`scopes.${scope}`)}
          text={t(`scopeTexts.${scope}`)}
          checked={rules.scopes.includes(scope)}
          onChange={(event) => rules.choose(scope, event.currentTarget.checked)}
        />
      ))}
    </Choices>
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
