import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { required } from '#web/forms/rules.ts'
import { useCodeTry } from '#web/forms/use-code-try.ts'
import { useForm } from '#web/forms/use-form.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TextButton } from '#web/ui/text-button.tsx'

type Attempt = (code: string) => Promise<void>

type RecoveryFormProps = {
  attempt: Attempt
  /** The name of the code's input field in the API call. The form shows a refusal of this field beside the input. */
  field: 'code' | 'one_time_password'
  submit: string
}

export function SecondFactor({ attempt, field, submit }: RecoveryFormProps) {
  const t = useTranslations('twoFactor')
  const [byRecovery, setByRecovery] = useState(false)
  return (
    <div className="grid justify-items-start gap-3">
      <p>{t(byRecovery ? 'recoveryText' : 'text')}</p>
      {byRecovery ? <RecoveryForm attempt={attempt} field={field} submit={submit} /> : <AppCode attempt={attempt} />}
      <TextButton onClick={() => setByRecovery(!byRecovery)}>{t(byRecovery ? 'useApp' : 'useRecovery')}</TextButton>
    </div>
  )
}

function AppCode({ attempt }: { attempt: Attempt }) {
  const t = useTranslations('twoFactor')
  const input = useCodeTry(attempt)
  return <CodeInput {...input} label={t('label')} autoFocus />
}

function RecoveryForm({ attempt, field, submit }: RecoveryFormProps) {
  const t = useTranslations('twoFactor')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const form = useForm({
    initial: { code: '', one_time_password: '' },
    rules: { code: field === 'code' ? [required] : [], one_time_password: field === 'code' ? [] : [required] },
    labels: { code: t('recoveryLabel'), one_time_password: t('recoveryLabel') },
    send: (values) => attempt(values[field].trim()),
  })
  return (
    <form noValidate method="post" className="grid w-full gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      <TextField
        {...form.text(field)}
        ref={input}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="[&_input]:font-mono"
      />
      <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : submit}
      </Button>
    </form>
  )
}
