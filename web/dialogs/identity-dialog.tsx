import { type RefObject, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { PasskeyButton } from '#web/account/passkey-button.tsx'
import { SecondFactor } from '#web/account/second-factor.tsx'
import { required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useApi, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { purposeOf } from './identity-purpose.ts'
import { SocialButtons } from './social-buttons.tsx'

export function IdentityDialog({ by, about, passkey, answer }: DialogProps['is2fa']) {
  const t = useTranslations('identity')
  const to = t(`to.${purposeOf(about)}`)
  const api = useApi()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={t('title')} onClose={() => answer(false)} {...(by === 'password' ? { initialFocus: field } : {})}>
      {by === 'password' ? (
        <PasswordForm to={to} field={field} onShown={() => answer(true)} />
      ) : by === 'two-factor' ? (
        <CodeForm to={to} onShown={() => answer(true)} />
      ) : (
        <>
          <p>{t('signInText', { to })}</p>
          <SocialButtons redirect={location.pathname} alone />
        </>
      )}
      {passkey ? (
        <PasskeyButton
          purpose="confirm"
          label={t('passkey')}
          className="mt-3 h-12 w-full"
          onShown={async (assertion) => {
            await api('POST /api/v1/user/confirm-password', { passkey: assertion })
            answer(true)
          }}
        />
      ) : null}
    </Dialog>
  )
}

type FormProps = { to: string; onShown: () => void }

function PasswordForm({ to, field, onShown }: FormProps & { field: RefObject<HTMLInputElement | null> }) {
  const t = useTranslations('identity')
  const api = useApi()
  const user = useUser()
  const form = useForm({
    initial: { password: '' },
    rules: { password: [required] },
    labels: { password: t('password') },
    send: async ({ password }) => {
      await api('POST /api/v1/user/confirm-password', { password })
      onShown()
    },
  })
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      <p>{t('passwordText', { to })}</p>
      {/* Password managers find the saved password by this hidden e-mail field. */}
      <input type="email" name="email" value={user?.email ?? ''} readOnly autoComplete="username" hidden />
      <PasswordField {...form.secret('password')} ref={field} autoComplete="current-password" />
      <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t('submit')}
      </Button>
    </form>
  )
}

function CodeForm({ to, onShown }: FormProps) {
  const t = useTranslations('identity')
  const api = useApi()
  async function attempt(code: string): Promise<void> {
    await api('POST /api/v1/user/confirm-password', { code })
    onShown()
  }
  return (
    <>
      <p className="mb-3">{t('codeText', { to })}</p>
      <SecondFactor attempt={attempt} field="code" submit={t('submit')} />
    </>
  )
}
