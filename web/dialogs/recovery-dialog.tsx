import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { WaysLeft } from '#contract/account.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/account-constants.ts'
import { matchWith, maxLength, minLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

const RULES = {
  password: [required, minLength(PASSWORD_MIN_LENGTH), maxLength(PASSWORD_MAX_LENGTH)],
  password_confirmation: [required, matchWith('password')],
}

/** Sets a new password, which ends every session of the account, so a sign-in follows. */
export function RecoveryDialog({ email, token }: DialogProps['recovery']) {
  const t = useTranslations('recovery')
  const { dialogs } = useAppContext()
  const field = useRef<HTMLInputElement>(null)
  const form = useRecovery({ email, token })
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('recovery')} initialFocus={field}>
      <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
        <p>{t.rich('text', { email: () => <strong className="font-semibold break-all">{email}</strong> })}</p>
        {/* Password managers save the new password under this hidden e-mail field. */}
        <input type="email" name="email" value={email} readOnly autoComplete="username" hidden />
        <PasswordField {...form.secret('password')} ref={field} autoComplete="new-password" />
        <PasswordField {...form.secret('password_confirmation')} autoComplete="new-password" />
        <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
          {form.sending ? t('submitting') : t('submit')}
        </Button>
      </form>
    </Dialog>
  )
}

function useRecovery({ email, token }: DialogProps['recovery']) {
  const { alerts, api, dialogs, queryClient, session } = useAppContext()
  const t = useTranslations('recovery')
  const nameOf = useTranslations('social')
  return useForm({
    initial: { password: '', password_confirmation: '' },
    rules: RULES,
    labels: { password: t('password'), password_confirmation: t('repeat') },
    send: async (values) => {
      const left = await api('POST /api/reset-password', { email, token, ...values })
      const { linked_profiles: linked, api_keys: count, telegram_chat: name } = left
      const profiles = linked.map((one) => nameOf(one)).join(', ')
      const done = linked.length > 0 ? t('doneLinked', { profiles }) : t('done')
      const others = [count > 0 ? t('keys', { count }) : '', name === null ? '' : t('chat', { name })]
      alerts.add({ type: 'info', text: [done, ...others].filter((words) => words !== '').join(' ') })
      dialogs.close('recovery')
      // The new password may have ended the session of this page, so the user record is fetched again.
      await queryClient.refetchQueries({ queryKey: ['user'] })
      if (session.get().status === 'unauthenticated') dialogs.open('login', { email, redirect: settingsFor(left) })
    },
  })
}

/** Returns the settings path for a way to sign in that survives a new password, if any. */
function settingsFor({ linked_profiles: linked, api_keys: keys, telegram_chat: chat }: WaysLeft): string | undefined {
  if (linked.length > 0) return '/settings'
  if (keys > 0) return '/settings/api'
  return chat === null ? undefined : '/settings/notifications'
}
