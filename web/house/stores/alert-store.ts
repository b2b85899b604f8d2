import { ALERTS_SHOWN_DESKTOP, ALERTS_SHOWN_MOBILE } from '#contract/constants.ts'
import { newId } from '#web/house/new-id.ts'
import {
  type Alert,
  type AlertQueue,
  addAlerts,
  advanceAlerts,
  alertsWakeAt,
  clearErrors,
  dismissAlert,
  NO_ALERTS,
} from './alert-queue.ts'
import { createStore, type Store } from './store.ts'

export type NewAlert = Omit<Alert, 'id'> & { id?: string }

export type AlertStore = {
  queue: Store<AlertQueue>
  add(alerts: NewAlert | readonly NewAlert[]): void
  dismiss(id: string): void
  clearErrors(): void
  watchVisibility(): void
}

const DESKTOP = '(min-width: 768px)'

/** Creates the store of alerts. It runs no timer on the server, because the server adds no alert. */
export function createAlertStore(): AlertStore {
  const queue = createStore<AlertQueue>(NO_ALERTS)
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(next: AlertQueue): void {
    const limit = matchMedia(DESKTOP).matches ? ALERTS_SHOWN_DESKTOP : ALERTS_SHOWN_MOBILE
    queue.set(advanceAlerts(next, Date.now(), limit))
    clearTimeout(timer)
    const wakeAt = alertsWakeAt(queue.get(), limit)
    if (wakeAt !== null) timer = setTimeout(() => settle(queue.get()), Math.max(0, wakeAt - Date.now()))
  }

  return {
    queue,
    add: (alerts) => {
      const list = 'text' in alerts ? [alerts] : alerts
      settle(
        addAlerts(
          queue.get(),
          list.map((alert) => ({ id: newId(), ...alert })),
        ),
      )
    },
    dismiss: (id) => settle(dismissAlert(queue.get(), id)),
    clearErrors: () => settle(clearErrors(queue.get())),
    watchVisibility: () => {
      const follow = () => settle({ ...queue.get(), hidden: document.hidden })
      document.addEventListener('visibilitychange', follow)
      follow()
    },
  }
}
