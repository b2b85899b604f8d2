import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/account-constants.ts'
import { CAPTCHA_ON } from '#contract/constants.ts'
import { formatMoney } from '#contract/money.ts'
import { beginResendWait } from '#web/account/resend-wait.ts'
import { forgetWanted, rememberWanted } from '#web/account/wanted-number.ts'
import { isEmail, matchWith, maxLength, minLength, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAppContext, useSession, useSettings, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { originHeaders, referralId } from '#web/session/origin.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailField } from '#web/ui/fields/email-field.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { Consent } from './consent.tsx'
import { ProveEmail } from './prove-email.tsx'

const RULES = {
  email: [required, isEmail, maxLength(EMAIL_MAX_LENGTH)],
  password: [required, minLength(PASSWORD_MIN_LENGTH), maxLength(PASSWORD_MAX_LENGTH)],
  password_confirmation: [required, matchWith('password')],
}

export function RegistrationDialog({ redirect, email = '' }: DialogProps['registration']) {
  const t = useTranslations('register')
  const { dialogs } = useAppContext()
  const emailField = useRef<HTMLInputElement>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const registration = useRegistration(email, setSentTo)
  const { signedIn } = useSession()
  useEffect(() => {
    // A guest has the number already.
    if (!signedIn) rememberWanted()
  }, [signedIn])
  return (
    <Dialog
      title={sentTo === null ? t('title') : t('codeTitle')}
      onClose={() => {
        forgetWanted()
        dialogs.close('registration')
      }}
      initialFocus={emailField}
    >
      {sentTo === null ? (
        <>
          <RegistrationForm registration={registration} emailField={emailField} />
          {/* A guest who logs in to another account would lose this one. */}
          {signedIn ? null : (
            <p className="mt-2 text-sm text-muted">
              {t.rich('haveAccount', {
                link: (words) => (
                  <TextButton
                    onClick={() =>
                      dialogs.replace('registration', 'login', { redirect, email: registration.form.values.email })
                    }
                  >
                    {words}
                  </TextButton>
                ),
              })}
            </p>
          )}
        </>
      ) : (
        <SentCode email={sentTo} redirect={redirect} onBack={() => setSentTo(null)} />
      )}
    </Dialog>
  )
}

type Registration = ReturnType<typeof useRegistration>

function RegistrationForm({
  registration: { form, consent },
  emailField,
}: {
  registration: Registration
  emailField: RefObject<HTMLInputElement | null>
}) {
  const t = useTranslations('register')
  return (
    <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
      <WhatGuestKeeps />
      <EmailField {...form.text('email')} ref={emailField} />
      <PasswordField {...form.secret('password')} autoComplete="new-password" />
      <PasswordField {...form.secret('password_confirmation')} autoComplete="new-password" />
      <Consent {...consent} />
      <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
        {form.sending ? t('submitting') : t('submit')}
      </Button>
    </form>
  )
}

function WhatGuestKeeps() {
  const t = useTranslations('register')
  const locale = useLocale()
  const user = useUser()
  if (user?.guest === undefined) return null
  return <p>{t('guestKeeps', { amount: formatMoney(user.balance, user.currency, locale) })}</p>
}

function SentCode({ email, redirect, onBack }: { email: string; redirect: string | undefined; onBack: () => void }) {
  const t = useTranslations('register')
  return (
    <>
      <ProveEmail key={email} email={email} redirect={redirect} />
      <TextButton onClick={onBack}>{t('otherEmail')}</TextButton>
    </>
  )
}

function useRegistration(firstEmail: string, onSent: (email: string) => void) {
  const { api } = useAppContext()
  const settings = useSettings()
  const t = useTranslations('register')
  const [agree, setAgree] = useState(false)
  const [missing, setMissing] = useState(false)
  const box = useRef<HTMLInputElement>(null)

  const form = useForm({
    initial: { email: firstEmail, password: '', password_confirmation: '' },
    rules: RULES,
    labels: { email: t('email'), password: t('password'), password_confirmation: t('repeat') },
    mayBeSent: () => {
      setMissing(!agree)
      return agree
    },
    send: async (values) => {
      const email = values.email.trim()
      const referral = referralId()
      const captcha =
        settings.captchaEnabled === CAPTCHA_ON
          ? await (await import('#web/account/captcha.ts')).solveCaptcha(api)
          : null
      const form = {
        ...values,
        email,
        agree,
        ...(referral !== null && { referral_id: referral }),
        ...(captcha !== null && { captcha }),
      }
      await api('POST /api/register', form, { headers: originHeaders() })
      beginResendWait(email)
      onSent(email)
    },
  })
  const consent = {
    ref: box,
    checked: agree,
    missing,
    onChange: (checked: boolean) => {
      setAgree(checked)
      if (checked) setMissing(false)
    },
  }
  return { form, consent }
}
