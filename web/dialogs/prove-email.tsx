import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { EmailCode } from '#web/account/email-code.tsx'
import { useEmailProof } from '#web/account/use-email-proof.ts'
import { required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { inBackground } from '#web/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

type ProveEmailProps = {
  /** What was registered. Give it as `key` too. */
  email: string
  redirect: string | undefined
  /** The first box. */
  ref?: RefObject<HTMLInputElement | null>
}

/** The code of a registration; in a browser that did not register, its password after it. */
export function ProveEmail({ email, redirect, ref }: ProveEmailProps) {
  const { waiting, verify, verifyWith, resend } = useEmailProof(email, redirect)
  if (waiting !== undefined) return <RegistrationPassword email={email} send={verifyWith} />
  return <EmailCode email={email} verify={verify} resend={resend} {...(ref === undefined ? {} : { ref })} />
}

function RegistrationPassword({ email, send }: { email: string; send: (password: string) => Promise<void> }) {
  const t = useTranslations('verifyEmail')
  const field = useRef<HTMLInputElement>(null)
  // The boxes that the keyboard was in are gone. At once: the dialog takes a lost focus to itself a moment later.
  useLayoutEffect(() => field.current?.focus(), [])
  const form = useForm({
    initial: { password: '' },
    rules: { password: [required] },
    labels: { password: t('password') },
    send: ({ password }) => send(password),
  })
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      <p>{t('passwordText')}</p>
      {/* A password manager knows the password by this name. */}
      <input type="email" name="email" value={email} readOnly autoComplete="username" hidden />
      <PasswordField {...form.secret('password')} ref={field} autoComplete="current-password" />
      <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t('submit')}
      </Button>
    </form>
  )
}
