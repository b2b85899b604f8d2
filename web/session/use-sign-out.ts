import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext, useConfirm, useUser } from '#web/house/app-context.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { signOut } from './session-life.ts'
import { useFailure } from './use-failure.ts'

/** Returns a function that signs out. A guest is asked first, because nobody can sign in to a guest's account again. */
export function useSignOut(): () => void {
  const app = useAppContext()
  const t = useTranslations('header')
  const confirm = useConfirm()
  const isGuest = useUser()?.guest === true
  const navigate = useNavigate()
  const fail = useFailure()
  return useCallback(() => {
    const leave = async () => {
      if (isGuest && !(await confirm({ text: t('guestLeave'), action: t('signOut'), force: true }))) return
      await signOut(app)
      await navigate('/')
    }
    leave().catch(fail)
  }, [app, navigate, fail, confirm, isGuest, t])
}
