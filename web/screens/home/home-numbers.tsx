import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { PreorderList } from '#web/buying/preorder/preorder-list.tsx'
import type { PreordersSeed } from '#web/live/apply-preorder.ts'
import type { NumbersSeed } from '#web/live/apply-to-cache.ts'
import { ACTIVATIONS } from '#web/numbers/list/number-kind.ts'
import { NumbersList } from '#web/numbers/list/numbers-list.tsx'
import { Ticket } from '#web/numbers/ticket/ticket.tsx'
import { FirstNumber } from './first-number.tsx'

type HomeNumbersProps = {
  seed: NumbersSeed<ActivationRecord> | null
  preorders: PreordersSeed | null
  panel: PanelSeed
  /** The loaded data for the place of the numbers; null if there were some. */
  empty: Omit<ComponentProps<typeof FirstNumber>, 'panel'> | null
}

const NOTHING = { popular: null, latest: [] }

export function HomeNumbers({ seed, preorders, panel, empty }: HomeNumbersProps) {
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
        empty={<FirstNumber panel={panel} {...(empty ?? NOTHING)} />}
      />
    </div>
  )
}
