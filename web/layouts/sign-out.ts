import { useCallback } from 'react'
import { useFrame } from '#web/frame.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { useFailure } from '#web/session/failure.ts'
import { signOut } from '#web/session/session-life.ts'

/** Signs out and goes home; says so when the server could not be told. */
export function useSignOut(): () => void {
  const frame = useFrame()
  const navigate = useNavigate()
  const fail = useFailure()
  return useCallback(() => {
    signOut(frame).then(() => navigate('/'), fail)
  }, [frame, navigate, fail])
}
