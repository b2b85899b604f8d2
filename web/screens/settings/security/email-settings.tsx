import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Security } from '#contract/account.ts'
import { EMAIL_MAX_LENGTH } from '#contract/account-constants.ts'
import { EmailCode } from '#web/account/email-code.tsx'
import { beginResendWait } from '#web/account/resend-wait.ts'
import { isEmail, maxLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { refetch } from '#web/session/refetch.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField } from '#web/ui/fields/email-field.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextButton } from '#web/ui/text-button.tsx'

export function EmailSettings({ security }: { security: Security }) {
  const t = useTranslations('settings.email')
  const before = security.pending_email
  const [pending, setPending] = useState(before === null ? null : { email: before, askedNow: false })
  return (
    <SettingsGroup title={t('title')} text={t('text')}>
      <p className="mb-4">
        {security.email === ''
          ? t('none')
          : t.rich('current', {
              email: () => <strong className="font-semibold break-all">{security.email}</strong>,
            })}
      </p>
      {pending === null ? (
        <EmailForm security={security} onSent={(email) => setPending({ email, askedNow: true })} />
      ) : (
        <NewEmailCode key={pending.email} {...pending} onClosed={() => setPending(null)} />
      )}
    </SettingsGroup>
  )
}

type EmailFormProps = { security: Security; onSent: (email: string) => void }

function EmailForm({ security, onSent }: EmailFormProps) {
  const t = useTranslations('settings.email')
  const api = useApi()
  const form = useForm({
    initial: { email: '', password: '' },
    rules: {
      email: [required, isEmail, maxLength(EMAIL_MAX_LENGTH)],
      password: security.has_password ? [required] : [],
    },
    labels: { email: t('new'), password: t('password') },
    send: async ({ email: typed, password }) => {
      const email = typed.trim()
      await api('POST /api/v1/user/email', { email, ...(security.has_password && { password }) })
      beginResendWait(email)
      onSent(email)
    },
  })
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      <EmailField {...form.text('email')} autoComplete="email" />
      {security.has_password ? <PasswordField {...form.secret('password')} autoComplete="current-password" /> : null}
      <Button type="submit" className="mt-1 justify-self-start" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t('submit')}
      </Button>
    </form>
  )
}

type NewEmailCodeProps = { email: string; askedNow: boolean; onClosed: () => void }

function NewEmailCode({ email, askedNow, onClosed }: NewEmailCodeProps) {
  const t = useTranslations('settings.email')
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()

  async function verify(code: string): Promise<void> {
    await api('POST /api/user/verify-link-email', { email, code })
    alerts.add({ type: 'info', text: t('changed', { email }) })
    await Promise.all([refetch(queryClient, { queryKey: ['user'] }), refetch(queryClient, { queryKey: ['security'] })])
    onClosed()
  }
  return (
    <>
      <EmailCode
        email={email}
        verify={verify}
        resend={() => api('POST /api/user/resend-verify-email', { email })}
        autoFocus={askedNow}
      />
      <TextButton onClick={onClosed}>{t('other')}</TextButton>
    </>
  )
}
