import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { type Choices, CreateTicket, loadChoices } from './create/create-ticket.tsx'
import { Conversation, loadTicket, type TicketSeed } from './ticket/conversation.tsx'
import { loadTickets, TicketList, type TicketsSeed } from './ticket-list.tsx'

/** Support is one screen for three URLs, because three screens would lengthen the list that home loads. */
export const ownsQuery = true

type SupportData =
  | { view: 'list'; seed: TicketsSeed }
  | { view: 'create'; seed: Choices }
  | { view: 'ticket'; seed: TicketSeed }

export async function loader(input: LoaderInput): Promise<SupportData> {
  switch (input.url.pathname) {
    case '/support':
      return { view: 'list', seed: await loadTickets(input) }
    case '/support/create':
      return { view: 'create', seed: await loadChoices(input) }
    default:
      return { view: 'ticket', seed: await loadTicket(input) }
  }
}

export function Page() {
  const data = useScreenData<typeof loader>()
  switch (data.view) {
    case 'list':
      return <TicketList seed={data.seed} />
    case 'create':
      return <CreateTicket {...data.seed} />
    case 'ticket':
      return <Conversation key={data.seed.reply.data.id} {...data.seed} />
  }
}
