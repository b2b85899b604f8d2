import { SessionKeeper } from '#web/account/session-keeper.tsx'
import { useConnect } from '#web/account/use-connect.ts'
import { PreorderNews } from '#web/buying/preorder/preorder-news.tsx'
import { DialogHost } from '#web/dialogs/dialog-host.tsx'
import { useSession } from '#web/house/app-context.ts'
import { LiveLink } from '#web/live/live-link.tsx'
import { useBuildCheck } from '#web/navigation/build-check.ts'
import { useMarkScroll } from '#web/navigation/mark-scroll.ts'
import { PageProgress } from '#web/navigation/page-progress.tsx'
import { CodeArrival } from '#web/numbers/codes/code-arrival.tsx'
import { Counter } from '#web/reports/counter.tsx'
import { ErrorReports } from '#web/reports/error-reports.tsx'
import { useReadFailures } from '#web/session/use-read-failures.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useLinkPreloads } from './link-preloads.ts'

const MemberNews = lazyPart(async () => (await import('#web/notifications/member-news.tsx')).MemberNews)

/** Runs dialogs, live events and other effects, which load after the page, because they draw nothing at first. */
export function DeferredEffects() {
  const { signedIn } = useSession()
  useBuildCheck()
  useConnect()
  useLinkPreloads()
  useMarkScroll()
  useReadFailures()
  return (
    <>
      <ErrorReports />
      <PageProgress />
      <DialogHost />
      <LiveLink />
      {signedIn ? <MemberNews /> : null}
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
