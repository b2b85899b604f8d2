import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { formatMoney } from '#contract/money.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { originHeaders } from '#web/session/origin.ts'
import { useEnter } from './use-enter.ts'

/** Proves an e-mail address by a mailed code. `waiting` keeps the code while the user is asked for the password. */
export function useEmailProof(email: string, redirect: string | undefined) {
  const { api, alerts } = useAppContext()
  const t = useTranslations('register')
  const locale = useLocale()
  const guest = useUser()
  const enter = useEnter()
  const [password, setPassword] = useState<string>()
  const [waiting, setWaiting] = useState<string>()

  async function prove(code: string, given: string | undefined): Promise<void> {
    const proof = { email, code, ...(given !== undefined && { password: given }) }
    const reply = await api('POST /api/verify-email', proof, { headers: originHeaders() })
    // A guest who proves an address stays the same user.
    if (guest?.guest === true && guest.id === reply.user.id) {
      const { balance, currency } = reply.user
      alerts.add({ type: 'info', text: t('guestSaved', { amount: formatMoney(balance, currency, locale) }) })
    }
    await enter(reply, redirect, { isNew: true })
  }
  return {
    waiting,
    async verify(code: string): Promise<void> {
      try {
        await prove(code, password)
      } catch (error) {
        if (!isCode(error, 'NEED_PASSWORD')) throw error
        setWaiting(code)
      }
    },
    async verifyWith(given: string): Promise<void> {
      try {
        await prove(waiting ?? '', given)
      } catch (error) {
        // The password was right and the code was wrong, so the user has to enter only the code again.
        if (isCode(error, 'WRONG_CODE') || isCode(error, 'CODE_EXPIRED')) {
          setPassword(given)
          setWaiting(undefined)
        }
        throw error
      }
    },
    resend: () => api('POST /api/resend-verify-email', { email }),
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof CallError && error.code === code
}
