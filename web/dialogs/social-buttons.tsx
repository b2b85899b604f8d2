import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Provider } from '#contract/account-constants.ts'
import { rememberRedirect } from '#web/account/remembered-redirect.ts'
import { useAppContext, useSettings } from '#web/house/app-context.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { ProviderMark } from '#web/ui/marks/provider-mark.tsx'

export function SocialButtons({ redirect, alone = false }: { redirect: string | undefined; alone?: boolean }) {
  const t = useTranslations('social')
  const { authProviders } = useSettings()
  const go = useProvider(redirect)
  if (authProviders.length === 0) return null
  return (
    <div className="mt-5">
      {alone ? null : (
        <p className="mb-4 flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-hairline after:h-px after:grow after:bg-hairline">
          {t('or')}
        </p>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(6.75rem,1fr))] gap-2">
        {authProviders.map((provider) => (
          <Button
            key={provider}
            className="px-2"
            aria-label={t('with', { name: t(provider) })}
            onClick={() => go(provider)}
          >
            <ProviderMark provider={provider} size={20} />
            {t(provider)}
          </Button>
        ))}
      </div>
    </div>
  )
}

function useProvider(redirect: string | undefined): (provider: Provider) => void {
  const { api } = useAppContext()
  const fail = useFailure()
  const leaving = useRef(false)
  return (provider) => {
    if (leaving.current) return
    leaving.current = true
    api('GET /api/auth/{provider}/redirect', { provider }).then(
      ({ url }) => {
        // The user returns to the current page with its query if `redirect` is missing.
        rememberRedirect(redirect ?? location.pathname + location.search)
        location.assign(url)
      },
      (error: unknown) => {
        leaving.current = false
        fail(error)
      },
    )
  }
}
