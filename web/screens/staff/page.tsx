import type { AnswersReply, QueueReply } from '#contract/staff/staff-room.ts'
import type { LoaderInput } from '#web/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import type { Seed } from '#web/screens/settings/seeded-query.ts'
import { loadAnswers, ReadyAnswers } from './answers/ready-answers.tsx'
import { loadTicket, StaffTicket, type TicketSeed } from './ticket/staff-ticket.tsx'
import { loadQueue, Queue } from './tickets/queue.tsx'

type StaffData =
  | { view: 'queue'; seed: Seed<QueueReply> }
  | { view: 'answers'; seed: Seed<AnswersReply> }
  | { view: 'ticket'; seed: TicketSeed }

/** One screen of three addresses, as support is. */
export async function loader(input: LoaderInput): Promise<StaffData> {
  switch (input.url.pathname) {
    case '/staff/tickets':
      return { view: 'queue', seed: await loadQueue(input) }
    case '/staff/answers':
      return { view: 'answers', seed: await loadAnswers(input) }
    default:
      return { view: 'ticket', seed: await loadTicket(input) }
  }
}

export function Page() {
  const data = useScreenData<typeof loader>()
  switch (data.view) {
    case 'queue':
      return <Queue seed={data.seed} />
    case 'answers':
      return <ReadyAnswers seed={data.seed} />
    case 'ticket':
      return <StaffTicket key={data.seed.id} seed={data.seed} />
  }
}
