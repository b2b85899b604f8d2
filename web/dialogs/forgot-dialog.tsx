import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { RESET_LINK_MINUTES } from '#contract/mails.ts'
import { askResetLink } from '#web/account/ask-reset-link.ts'
import { isEmail, required } from '#web/forms/rules.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailField } from '#web/ui/fields/email-field.tsx'

const RULES = { email: [required, isEmail] }

/** Requests a mail that resets the password. The reply is the same for every address, to reveal no accounts. */
export function ForgotDialog({ email = '', redirect }: DialogProps['forgot']) {
  const t = useTranslations('forgot')
  const { api, dialogs } = useAppContext()
  const field = useRef<HTMLInputElement>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: { email },
    rules: RULES,
    labels: { email: t('email') },
    send: async (values) => {
      await askResetLink(api, values.email.trim())
      setSentTo(values.email.trim())
    },
  })
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('forgot')} initialFocus={field}>
      {sentTo === null ? (
        <form noValidate method="post" className="grid gap-4" onSubmit={(event) => inBackground(form.submit(event))}>
          <p>{t('text')}</p>
          <EmailField {...form.text('email')} ref={field} />
          <Button type="submit" kind="primary" className="h-12" aria-disabled={form.sending}>
            {form.sending ? t('submitting') : t('submit')}
          </Button>
        </form>
      ) : (
        <p role="status">
          {t.rich('sent', {
            minutes: RESET_LINK_MINUTES,
            email: () => <strong className="font-semibold break-all">{sentTo}</strong>,
          })}
        </p>
      )}
      <Button
        kind={sentTo === null ? 'quiet' : 'plain'}
        className="mt-4 w-full"
        onClick={() => dialogs.replace('forgot', 'login', { email: form.values.email.trim(), redirect })}
      >
        {t('toLogin')}
      </Button>
    </Dialog>
  )
}
