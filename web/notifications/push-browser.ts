import type { Api } from '#contract/calls/calls.ts'

export const PUSH_QUERY = ['push']

/** `blocked` means that the user has refused push messages. Only a change in the browser's own settings allows them. */
export type PushAbility = 'unable' | 'blocked' | 'able'

export function pushAbility(): PushAbility {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return 'unable'
  return Notification.permission === 'denied' ? 'blocked' : 'able'
}

export async function turnPushOn(api: Api): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { public_key: key } = await api('GET /api/v1/push', {})
  const { pushManager } = await navigator.serviceWorker.ready
  // An existing subscription with another server key would prevent the new subscription.
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  await api('POST /api/v1/push/subscriptions', { endpoint, keys: { p256dh, auth } })
  return true
}

export async function turnPushOff(api: Api, id: number): Promise<void> {
  await api('DELETE /api/v1/push/subscriptions/{id}', { id })
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}
