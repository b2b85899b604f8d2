import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { SecondFactor } from '#web/account/second-factor.tsx'
import { signIn } from '#web/account/sign-in.ts'
import { useEnter } from '#web/account/use-enter.ts'
import { useAppContext } from '#web/app-context.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { DialogProps } from './dialog-store.ts'

export function TwoFactorDialog({ firstFactor, redirect }: DialogProps['faCode']) {
  const t = useTranslations('twoFactor')
  const { api, dialogs } = useAppContext()
  const enter = useEnter()
  async function attempt(code: string): Promise<void> {
    try {
      await enter(await signIn(api, { ...firstFactor, one_time_password: code }), redirect)
    } catch (error) {
      // The pending sign-in has expired and has to begin again.
      if (error instanceof CallError && error.code === 'AUTH_FAILED') dialogs.replace('faCode', 'login', { redirect })
      throw error
    }
  }
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('faCode')}>
      <SecondFactor attempt={attempt} field="one_time_password" submit={t('submit')} />
    </Dialog>
  )
}
