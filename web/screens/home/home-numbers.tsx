import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import type { PreordersReply } from '#contract/preorder.ts'
import { PreorderList } from '../../components/preorder/preorder-list.tsx'
import { ACTIVATIONS } from '../../components/ticket/number-kind.ts'
import { NumbersList } from '../../components/ticket/numbers-list.tsx'
import { Ticket } from '../../components/ticket/ticket.tsx'
import type { NumbersSeed } from '../../components/ticket/use-numbers.ts'

type HomeNumbersProps = { seed: NumbersSeed<ActivationRecord> | null; preorders: PreordersReply | null }

/** The person's numbers beside the panel. On a phone they have their own screen, one press away in the bottom bar. */
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
        renderTicket={(record) => <Ticket record={record} heading="h3" />}
        empty={{ title: t('emptyTitle'), text: t('emptyPanel') }}
      />
    </div>
  )
}
