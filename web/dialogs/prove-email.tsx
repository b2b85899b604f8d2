import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { EmailCode } from '#web/account/email-code.tsx'
import { useEmailProof } from '#web/account/use-email-proof.ts'
import { required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

type ProveEmailProps = {
  /** Pass the e-mail address also as React `key`, because another address needs another code. */
  email: string
  redirect: string | undefined
  ref?: RefObject<HTMLInputElement | null>
}

/** Asks for the mailed code, and then for the password if another browser registered the account. */
export function ProveEmail({ email, redirect, ref }: ProveEmailProps) {
  const { waiting, verify, verifyWith, resend } = useEmailProof(email, redirect)
  if (waiting !== undefined) return <RegistrationPassword email={email} send={verifyWith} />
  return <EmailCode email={email} verify={verify} resend={resend} {...(ref === undefined ? {} : { ref })} />
}

function RegistrationPassword({ email, send }: { email: string; send: (password: string) => Promise<void> }) {
  const t = useTranslations('verifyEmail')
  const field = useRef<HTMLInputElement>(null)
  // The focused code boxes are gone. The layout effect sets the focus before the dialog would take it.
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
      {/* Password managers find the saved password by this hidden e-mail field. */}
      <input type="email" name="email" value={email} readOnly autoComplete="username" hidden />
      <PasswordField {...form.secret('password')} ref={field} autoComplete="current-password" />
      <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t('submit')}
      </Button>
    </form>
  )
}
