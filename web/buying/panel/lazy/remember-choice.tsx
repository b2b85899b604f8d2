import { useEffect } from 'react'
import type { User } from '#contract/user.ts'
import { useAppContext, useUser } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'

/** Saves the last chosen service and country for the next visit, unless the user has turned that setting off. */
export function RememberChoice({ serviceId, countryId }: { serviceId: string; countryId: number }): null {
  const { api, queryClient } = useAppContext()
  const settings = useUser()?.settings
  const isNews =
    settings?.remember_choice === true &&
    (settings.last_service_id !== serviceId || settings.last_country_id !== countryId)
  useEffect(() => {
    if (!isNews) return
    const last = { last_service_id: serviceId, last_country_id: countryId }
    queryClient.setQueryData<User>(['user'], (user) => user && { ...user, settings: { ...user.settings, ...last } })
    inBackground(api('PATCH /api/v1/user/settings', last))
  }, [isNews, serviceId, countryId, api, queryClient])
  return null
}
