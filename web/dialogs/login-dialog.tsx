import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { PasskeyButton } from '#web/account/passkey-button.tsx'
import { ensureResendWait } from '#web/account/resend-wait.ts'
import { signIn } from '#web/account/sign-in.ts'
import { useEnter } from '#web/account/use-enter.ts'
import { forgetWanted, rememberWanted } from '#web/account/wanted-number.ts'
import { NOTE_LOOKS } from '#web/buying/initial/note-look.ts'
import { isEmail, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailField } from '#web/ui/fields/email-field.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { SocialButtons } from './social-buttons.tsx'

/** This account exists only on a server in demo mode. */
const DEMO_BUYER = { email: 'demo@ringpost.test', password: 'demo-password-1' }

const RULES = { email: [required, isEmail], password: [required] }

export function LoginDialog({ redirect, email = '', why }: DialogProps['login']) {
  const { api, dialogs, page } = useAppContext()
  const enter = useEnter()
  const t = useTranslations('login')
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const form = useLogin(email, redirect)
  useEffect(rememberWanted, [])
  const typed = () => ({ redirect, email: form.values.email })

  return (
    <Dialog
      title={t('title')}
      onClose={() => {
        forgetWanted()
        dialogs.close('login')
      }}
      initialFocus={email === '' ? emailField : passwordField}
    >
      {why === undefined ? null : (
        <p role="status" className={NOTE_LOOKS.soon}>
          {why}
        </p>
      )}
      {page.settings.demo ? <DemoHint onFill={form.set} /> : null}
      <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
        <EmailField {...form.text('email')} ref={emailField} />
        <PasswordField {...form.secret('password')} ref={passwordField} autoComplete="current-password" />
        <Button type="submit" kind="primary" className="mt-1 h-12" aria-disabled={form.sending}>
          {form.sending ? t('submitting') : t('submit')}
        </Button>
      </form>
      <PasskeyButton
        purpose="sign-in"
        label={t('passkey')}
        className="mt-3 h-12 w-full"
        onShown={async (credential) => enter(await api('POST /api/v1/passkeys/sign-in', { credential }), redirect)}
      />
      <SocialButtons redirect={redirect} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 text-sm text-muted">
        <p>
          {t.rich('noAccount', {
            link: (words) => (
              <TextButton onClick={() => dialogs.replace('login', 'registration', typed())}>{words}</TextButton>
            ),
          })}
        </p>
        <TextButton onClick={() => dialogs.replace('login', 'forgot', typed())}>{t('forgot')}</TextButton>
      </div>
    </Dialog>
  )
}

function useLogin(firstEmail: string, redirect: string | undefined) {
  const { api, dialogs } = useAppContext()
  const t = useTranslations('login')
  const enter = useEnter()
  return useForm({
    initial: { email: firstEmail, password: '' },
    rules: RULES,
    labels: { email: t('email'), password: t('password') },
    blamed: 'password',
    send: async (values) => {
      const firstFactor = { email: values.email.trim(), password: values.password }
      try {
        await enter(await signIn(api, firstFactor), redirect)
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const { action } = error.data
        if (action === 'verify-email') {
          // The server has sent a code now or within the last minute, so the user must wait for a further code.
          ensureResendWait(firstFactor.email)
          dialogs.replace('login', 'verifyEmail', { email: firstFactor.email, redirect })
        } else if (action === 'need-2fa-code') {
          dialogs.replace('login', 'faCode', { firstFactor, redirect, passkey: error.data.passkey === true })
        } else {
          throw error
        }
      }
    },
  })
}

function DemoHint({ onFill }: { onFill: (values: typeof DEMO_BUYER) => void }) {
  const t = useTranslations('login')
  return (
    <div className="mb-5 rounded border border-dashed border-edge bg-sunken p-3 text-sm">
      <p className="mb-2">{t('demoHint')}</p>
      <Button className="w-full" onClick={() => onFill(DEMO_BUYER)}>
        {t('demoFill')}
      </Button>
    </div>
  )
}
