import { useFrame } from '../frame.ts'
import { originHeaders } from './origin.ts'
import { useEnter } from './use-enter.ts'

/** The two calls of a registration that waits for its code: the right one signs in. */
export function useEmailProof(email: string, redirect: string | undefined) {
  const { api } = useFrame()
  const enter = useEnter()
  return {
    verify: async (code: string): Promise<void> => {
      const reply = await api('POST /api/verify-email', { email, code }, { headers: originHeaders() })
      await enter(reply, redirect)
    },
    resend: () => api('POST /api/resend-verify-email', { email }),
  }
}
