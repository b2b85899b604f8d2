import { useState } from 'react'
import type { User } from '#contract/user.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { createPreferenceQueue } from './preference-queue.ts'

export type Preferences = User['settings']
export type Wish = <Name extends keyof Preferences>(name: Name, value: Preferences[Name]) => void

/** Changes preferences on this page at once, and in the user's other tabs after they are saved. */
export function usePreferences(): Wish {
  const { api, queryClient, tabs } = useAppContext()
  const fail = useFailure()
  const [queue] = useState(() =>
    createPreferenceQueue<Preferences>({
      read: (name) => {
        const user = queryClient.getQueryData<User>(['user'])
        if (user === undefined) throw new Error('a setting was changed before there was a user')
        return user.settings[name]
      },
      show: (name, value) =>
        queryClient.setQueryData<User>(
          ['user'],
          (user) => user && { ...user, settings: { ...user.settings, [name]: value } },
        ),
      save: async (name, value) => {
        await api('PATCH /api/v1/user/settings', { [name]: value })
      },
      fail,
    }),
  )

  async function save(name: keyof Preferences, value: Preferences[keyof Preferences]): Promise<void> {
    // The reply to a pending request would restore the old value.
    await queryClient.cancelQueries({ queryKey: ['user'] })
    await queue.wish(name, value)
    if (queue.isBusy()) return
    // A refetch that began during the save may have restored the old value nevertheless.
    await refetch(queryClient, { queryKey: ['user'] })
    const user = queryClient.getQueryData<User>(['user'])
    if (user !== undefined) tabs.tell({ kind: 'user', user })
  }
  return (name, value) => inBackground(save(name, value))
}
