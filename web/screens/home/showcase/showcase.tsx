import type { FactsReply } from '#contract/status/facts.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { NoCodeTicket } from '../no-code-ticket.tsx'
import { CountryBars } from './country-bars.tsx'
import { ForPrograms } from './for-programs.tsx'
import { MeasuredFacts } from './measured-facts.tsx'
import { PlayedTicket } from './played-ticket.tsx'
import { WaysToPay, WhoAnswers } from './terms.tsx'
import { type PairSeed, useShownPair } from './use-shown-pair.ts'

type ShowcaseProps = { facts: FactsReply; popular: PairSeed | null; panel: PanelSeed }

/** Shows a visitor, beside the panel, what a purchase is, what was measured, and who stands behind it. */
export function Showcase({ facts, popular, panel }: ShowcaseProps) {
  const { service, countries } = panel
  const first = service === null ? popular : { service, countries }
  return first === null ? <About facts={facts} /> : <WithPair first={first} panel={panel} facts={facts} />
}

function WithPair({ facts, first, panel }: Omit<ShowcaseProps, 'popular'> & { first: PairSeed }) {
  const pair = useShownPair(first, panel)
  if (pair === null) return <About facts={facts} />
  return (
    <>
      <PlayedTicket pair={pair} />
      <MeasuredFacts facts={facts} />
      <CountryBars pair={pair} />
      <About facts={facts} />
      <ForPrograms pair={pair} />
    </>
  )
}

function About({ facts }: { facts: FactsReply }) {
  return (
    <>
      <NoCodeTicket />
      <div className="grid gap-x-8 gap-y-8 xl:grid-cols-2">
        <WaysToPay systems={facts.payments} />
        <WhoAnswers support={facts.support} />
      </div>
    </>
  )
}
