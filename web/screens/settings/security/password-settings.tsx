import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Security, WaysLeft } from '#contract/account.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/account-constants.ts'
import { matchWith, maxLength, minLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { SettingsGroup } from '#web/screens/settings/settings-group.tsx'
import { refetch } from '#web/session/refetch.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'

export function PasswordSettings({ security }: { security: Security }) {
  const t = useTranslations('settings.password')
  const kind = security.has_password ? 'change' : 'set'
  const needsEmail = kind === 'set' && security.email === ''
  return (
    <SettingsGroup title={t('title')} text={t(`${kind}Text`)}>
      {needsEmail ? <p className="text-muted">{t('emailFirst')}</p> : <PasswordForm key={kind} security={security} />}
    </SettingsGroup>
  )
}

const EMPTY = { current_password: '', password: '', password_confirmation: '' }

function PasswordForm({ security }: { security: Security }) {
  const t = useTranslations('settings.password')
  const [left, setLeft] = useState<WaysLeft | null>(null)
  const form = usePasswordForm(security, setLeft)
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      {/* Password managers save the new password under this hidden e-mail field. */}
      <input type="email" name="email" value={security.email} readOnly autoComplete="username" hidden />
      {security.has_password ? (
        <PasswordField {...form.secret('current_password')} autoComplete="current-password" />
      ) : null}
      <PasswordField {...form.secret('password')} autoComplete="new-password" />
      <PasswordField {...form.secret('password_confirmation')} autoComplete="new-password" />
      <Button type="submit" className="mt-1 justify-self-start" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t(security.has_password ? 'change' : 'set')}
      </Button>
      {left === null ? null : <StillOpen left={left} />}
    </form>
  )
}

/** Lists the ways to sign in that remain, because a new password unlinks no profile, API key or chat. */
function StillOpen({ left }: { left: WaysLeft }) {
  const t = useTranslations('settings.password')
  const nameOf = useTranslations('social')
  const { linked_profiles: linked, api_keys: count, telegram_chat: name } = left
  if (linked.length === 0 && count === 0 && name === null) return null
  const linkTo = (to: string) => (words: ReactNode) => (
    <Link to={to} className={TEXT_BUTTON_LOOK}>
      {words}
    </Link>
  )
  const profiles = linked.map((provider) => nameOf(provider)).join(', ')
  return (
    <div role="status" className="grid gap-3 rounded border border-dashed border-edge p-4">
      {linked.length > 0 ? <p>{t.rich('linked', { profiles, link: linkTo('/settings') })}</p> : null}
      {count > 0 ? <p>{t.rich('keysLeft', { count, link: linkTo('/settings/api') })}</p> : null}
      {name === null ? null : <p>{t.rich('chatLeft', { name, link: linkTo('/settings/notifications') })}</p>}
    </div>
  )
}

function usePasswordForm({ has_password: hasPassword }: Security, onChanged: (left: WaysLeft) => void) {
  const api = useApi()
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const t = useTranslations('settings.password')
  const form = useForm({
    initial: EMPTY,
    rules: {
      current_password: hasPassword ? [required] : [],
      password: [required, minLength(PASSWORD_MIN_LENGTH), maxLength(PASSWORD_MAX_LENGTH)],
      password_confirmation: [required, matchWith('password')],
    },
    labels: { current_password: t('current'), password: t('new'), password_confirmation: t('repeat') },
    send: async ({ current_password: current, ...fresh }) => {
      const input = { ...fresh, ...(hasPassword && { current_password: current }) }
      onChanged(await api('POST /api/v1/user/password', input))
      form.set(EMPTY)
      alerts.add({ type: 'info', text: t(hasPassword ? 'changed' : 'isSet') })
      await refetch(queryClient, { queryKey: ['security'] })
    },
  })
  return form
}
