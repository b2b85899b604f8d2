import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { Assertion } from '#contract/passkeys/passkeys.ts'
import { PasskeyButton } from '#web/account/passkey-button.tsx'
import { SecondFactor } from '#web/account/second-factor.tsx'
import { signIn } from '#web/account/sign-in.ts'
import { useEnter } from '#web/account/use-enter.ts'
import { useAppContext } from '#web/house/app-context.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Dialog } from '#web/ui/dialog.tsx'

export function TwoFactorDialog({ firstFactor, redirect, passkey }: DialogProps['faCode']) {
  const t = useTranslations('twoFactor')
  const { api, dialogs } = useAppContext()
  const enter = useEnter()
  async function pass(factor: { one_time_password: string } | { passkey: Assertion }): Promise<void> {
    try {
      await enter(await signIn(api, { ...firstFactor, ...factor }), redirect)
    } catch (error) {
      // The pending sign-in has expired, so the user has to sign in again.
      if (error instanceof CallError && error.code === 'AUTH_FAILED') dialogs.replace('faCode', 'login', { redirect })
      throw error
    }
  }
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('faCode')}>
      <SecondFactor
        attempt={(code) => pass({ one_time_password: code })}
        field="one_time_password"
        submit={t('submit')}
      />
      {passkey === true ? (
        <PasskeyButton
          purpose="second-factor"
          label={t('passkey')}
          className="mt-4 h-12 w-full"
          onShown={(assertion) => pass({ passkey: assertion })}
        />
      ) : null}
    </Dialog>
  )
}
