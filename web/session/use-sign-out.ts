import { useCallback } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { signOut } from './session-life.ts'
import { useFailure } from './use-failure.ts'

export function useSignOut(): () => void {
  const app = useAppContext()
  const navigate = useNavigate()
  const fail = useFailure()
  return useCallback(() => {
    signOut(app).then(() => navigate('/'), fail)
  }, [app, navigate, fail])
}
