import { type RefObject, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { MAIL_CODE_MINUTES } from '#contract/mails.ts'
import { useCodeTry } from '#web/forms/use-code-try.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { formatSeconds } from '#web/ui/time/time-left.ts'
import { useResendWait } from './resend-wait.ts'

type EmailCodeProps = {
  /** Pass the e-mail address also as React `key`, because another address needs another code. */
  email: string
  verify: (code: string) => Promise<unknown>
  resend: () => Promise<unknown>
  ref?: RefObject<HTMLInputElement | null>
  autoFocus?: boolean
}

export function EmailCode({ email, verify, resend, ref, autoFocus = true }: EmailCodeProps) {
  const t = useTranslations('verifyEmail')
  const fail = useFailure()
  const wait = useResendWait(email)
  const busy = useRef(false)
  const own = useRef<HTMLInputElement>(null)
  const first = ref ?? own
  const input = useCodeTry(async (code) => {
    await verify(code)
  })

  async function sendAnother(): Promise<void> {
    if (busy.current) return
    busy.current = true
    const pressed = document.activeElement
    try {
      await resend()
      // The pressed button disappears while it has the focus, so the first code box takes the focus.
      if (document.activeElement === pressed) first.current?.focus()
      wait.begin()
    } catch (error) {
      fail(error)
    } finally {
      busy.current = false
    }
  }
  return (
    <div className="grid gap-4">
      <p>
        {t.rich('sent', {
          minutes: MAIL_CODE_MINUTES,
          email: () => <strong className="font-semibold break-all">{email}</strong>,
        })}
      </p>
      <CodeInput {...input} ref={first} label={t('label')} autoFocus={autoFocus} />
      <div className="flex min-h-10 items-center">
        {wait.seconds > 0 ? (
          <p className="tabular text-muted">{t('wait', { time: formatSeconds(wait.seconds) })}</p>
        ) : (
          <TextButton onClick={() => inBackground(sendAnother())}>{t('resend')}</TextButton>
        )}
      </div>
    </div>
  )
}
