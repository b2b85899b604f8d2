import { PreorderNews } from '../components/preorder/preorder-news.tsx'
import { CodeArrival } from '../components/ticket/code-arrival.tsx'
import { DialogHost } from '../dialogs/dialog-host.tsx'
import { useSession } from '../frame.ts'
import { LiveLine } from '../live/live-line.tsx'
import { LiveLink } from '../live/live-link.tsx'
import { useBuildCheck } from '../navigation/build-check.ts'
import { useLinkPreloads } from '../navigation/link-preloads.ts'
import { useMarkScroll } from '../navigation/mark-scroll.ts'
import { useOfflinePage } from '../navigation/offline-page.ts'
import { PageProgress } from '../navigation/page-progress.tsx'
import { Counter } from '../reports/counter.tsx'
import { ErrorReports } from '../reports/error-reports.tsx'
import { SessionKeeper } from '../session/session-keeper.tsx'
import { useConnect } from '../session/use-connect.ts'
import { WithAllTexts } from '../text/complete-texts.tsx'

/** What no page shows as it comes: it answers presses and events, and keeps the session, once the page stands. */
export function Attendants() {
  const { signedIn } = useSession()
  useBuildCheck()
  useConnect()
  useLinkPreloads()
  useMarkScroll()
  useOfflinePage()
  return (
    <>
      <ErrorReports />
      <PageProgress />
      <LiveLine />
      <DialogHost />
      <LiveLink />
      {signedIn ? (
        <WithAllTexts>
          <CodeArrival />
          <PreorderNews />
        </WithAllTexts>
      ) : null}
      <SessionKeeper />
      <Counter />
    </>
  )
}
