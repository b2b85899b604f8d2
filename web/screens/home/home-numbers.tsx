import { useTranslations } from 'use-intl'
import type { ActiveNumbersSeed } from '../../components/ticket/active-numbers.ts'
import { NumbersList } from '../../components/ticket/numbers-list.tsx'

/** The person's numbers beside the panel. On a phone they have their own screen, one press away in the bottom bar. */
export function HomeNumbers({ seed }: { seed: ActiveNumbersSeed | null }) {
  const t = useTranslations('activations')
  return (
    <div className="hidden min-w-0 lg:block">
      <NumbersList
        seed={seed}
        heading={
          <h2 id="numbers-heading" className="text-lg font-semibold tracking-tight">
            {t('yourNumbers')}
          </h2>
        }
        ticketHeading="h3"
        empty={{ text: t('emptyPanel') }}
      />
    </div>
  )
}
