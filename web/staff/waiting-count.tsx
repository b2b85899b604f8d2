import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useApi, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { Link } from '#web/navigation/link.tsx'
import { refetch } from '#web/session/refetch.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'

const COUNTED = /^\(\d+\) /

const WAITING_KEY = 'staff-waiting'
const SHOWN_AT_MOST = 99

export function WaitingCount() {
  return (
    <WithAllTexts place={<span className="size-10" />}>
      <Count />
    </WithAllTexts>
  )
}

function Count() {
  const t = useTranslations('staff')
  const waiting = useWaiting()
  useTitleCount(waiting ?? 0)
  // Staff without a second factor may not see tickets, so no count of waiting tickets is shown.
  if (waiting === undefined) return null
  const label = t('header', { count: waiting })
  return (
    <Link to="/staff/tickets" aria-label={label} title={label} className={ICON_BUTTON_LOOK}>
      <Inbox size={18} aria-hidden />
      {waiting === 0 ? null : (
        <span
          aria-hidden
          className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-signal-fill px-1 text-center text-[11px] leading-4.5 font-semibold text-on-signal tabular"
        >
          {waiting > SHOWN_AT_MOST ? `${SHOWN_AT_MOST}+` : waiting}
        </span>
      )}
    </Link>
  )
}

function useWaiting(): number | undefined {
  const api = useApi()
  const { live } = useAppContext()
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: [WAITING_KEY],
    queryFn: ({ signal }) => api('GET /api/v1/staff/waiting', {}, { signal }),
    retry: false,
  })
  useLiveEvent(({ name }) => {
    if (name === 'StaffTicketChanged') inBackground(refetch(queryClient, { queryKey: [WAITING_KEY] }))
  })
  useEffect(
    () =>
      live.state.subscribe(() => {
        if (live.state.get() === 'connected') inBackground(refetch(queryClient, { queryKey: [WAITING_KEY] }))
      }),
    [live, queryClient],
  )
  return data?.waiting
}

/** Keeps a count such as "(3) " before the tab's title, even after the title changes. A count of 0 is not shown. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(COUNTED, '')
      const wanted = count === 0 ? bare : `(${count}) ${bare}`
      if (document.title !== wanted) document.title = wanted
    }
    show()
    const observer = new MutationObserver(show)
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
    return () => {
      observer.disconnect()
      document.title = document.title.replace(COUNTED, '')
    }
  }, [count])
}
