import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError, type Calls } from '#contract/calls/calls.ts'
import { useCodeTry } from '#web/forms/use-code-try.ts'
import { useApi } from '#web/house/app-context.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { TEXT_BUTTON_LOOK, TextButton } from '#web/ui/text-button.tsx'

type SetUp = Calls['POST /api/v1/user/two-factor']['reply']
type OnCodes = { onCodes: (codes: readonly string[]) => void }

export function TwoFactorOff({ onCodes }: OnCodes) {
  const t = useTranslations('settings.twoFactor')
  const [setUp, setSetUp] = useState<SetUp>()
  const { pending, begin } = useBegin(setSetUp)
  if (setUp !== undefined) return <Confirm setUp={setUp} onCodes={onCodes} onClosed={() => setSetUp(undefined)} />
  return (
    <Button aria-disabled={pending} onClick={begin}>
      {t('begin')}
    </Button>
  )
}

function useBegin(onSetUp: (setUp: SetUp) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  const begin = () =>
    once(async () => {
      try {
        onSetUp(await api('POST /api/v1/user/two-factor', {}))
      } catch (error) {
        if (error instanceof CallError && error.httpStatus === 409) {
          await refetch(queryClient, { queryKey: ['security'] })
        }
        throw error
      }
    })
  return { pending, begin }
}

type ConfirmProps = OnCodes & { setUp: SetUp; onClosed: () => void }

/** Asks for a code, which proves that the authenticator app has the secret. */
function Confirm({ setUp, onCodes, onClosed }: ConfirmProps) {
  const t = useTranslations('settings.twoFactor')
  const api = useApi()
  const queryClient = useQueryClient()
  const input = useCodeTry(async (code) => {
    const { recovery_codes: codes } = await api('POST /api/v1/user/two-factor/confirm', { code })
    onCodes(codes)
    await refetch(queryClient, { queryKey: ['security'] })
  })
  return (
    <div className="grid gap-5">
      <div className="grid items-start gap-x-6 gap-y-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
        {/* The QR code is white in both themes, because cameras need dark on light. */}
        <img src={setUp.qr} alt={t('qr')} width={176} height={176} className="size-44 rounded border border-hairline" />
        <div className="min-w-0">
          <p>{t('scan')}</p>
          <a href={setUp.otpauth_url} className={`inline-flex min-h-10 items-center sm:hidden ${TEXT_BUTTON_LOOK}`}>
            {t('openApp')}
          </a>
          <p className="mt-2 text-muted">{t('byHand')}</p>
          <p className="mt-1 flex items-center gap-1">
            <code className="max-w-[20ch] min-w-0 font-mono text-[15px] font-semibold break-words">
              {inFours(setUp.secret)}
            </code>
            <CopyButton text={setUp.secret} label={t('copySecret')} />
          </p>
        </div>
      </div>
      <CodeInput {...input} label={t('code')} autoFocus />
      <TextButton className="justify-self-start" onClick={onClosed}>
        {t('cancel')}
      </TextButton>
    </div>
  )
}

/** Writes the secret in groups of four, which prevent typing errors. Authenticator apps drop the spaces. */
function inFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
