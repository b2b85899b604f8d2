import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { parseDecimal } from '#contract/money.ts'
import { PreorderList } from '#web/buying/preorder/preorder-list.tsx'
import { useUser } from '#web/house/app-context.ts'
import type { PreordersSeed } from '#web/live/apply-preorder.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { ACTIVATIONS } from '#web/numbers/list/number-kind.ts'
import { NumbersList } from '#web/numbers/list/numbers-list.tsx'
import { Ticket } from '#web/numbers/ticket/ticket.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Steps } from './steps.tsx'

type HomeNumbersProps = { seed: NumbersSeed<ActivationRecord> | null; preorders: PreordersSeed | null }

export function HomeNumbers({ seed, preorders }: HomeNumbersProps) {
  const t = useTranslations('activations')
  return (
    <div className="isolate hidden min-w-0 lg:block">
      <NumbersList
        kind={ACTIVATIONS}
        seed={seed}
        heading={
          <h2 id="numbers-heading" className="text-lg font-semibold tracking-tight">
            {t('yourNumbers')}
          </h2>
        }
        above={<PreorderList seed={preorders} />}
        itemHeading="h3"
        renderTicket={(record) => <Ticket record={record} heading="h3" />}
        empty={{ title: t('emptyTitle'), text: t('emptyPanel'), button: <NextSteps /> }}
      />
    </div>
  )
}

/** Shows a member without numbers what comes next, and where the money comes from. */
function NextSteps() {
  const t = useTranslations('activations')
  const user = useUser()
  const path = routeNamed('top-up')?.path
  return (
    <>
      <Steps reached={null} />
      {path === undefined || user === null || parseDecimal(user.balance) !== 0n ? null : (
        <Link to={path} className={`mt-5 ${buttonLook()}`}>
          {t('topUp')}
        </Link>
      )}
    </>
  )
}
