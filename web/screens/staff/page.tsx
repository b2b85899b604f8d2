import type { AnswersReply, QueueReply } from '#contract/staff/staff-room.ts'
import type { SuppliersReply } from '#contract/staff/supply.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import type { Seed } from '#web/session/seeded-query.ts'
import { loadAnswers, ReadyAnswers } from './answers/ready-answers.tsx'
import { loadSupplier, Supplier, type SupplierSeed } from './suppliers/supplier.tsx'
import { loadSuppliers, Suppliers } from './suppliers/suppliers.tsx'
import { loadTicket, StaffTicket, type TicketSeed } from './ticket/staff-ticket.tsx'
import { loadQueue, Queue } from './tickets/queue.tsx'

type StaffData =
  | { view: 'queue'; seed: Seed<QueueReply> }
  | { view: 'answers'; seed: Seed<AnswersReply> }
  | { view: 'ticket'; seed: TicketSeed }
  | { view: 'suppliers'; seed: Seed<SuppliersReply> }
  | { view: 'supplier'; seed: SupplierSeed }

/**
 * Loads the data of any page for staff. All of these pages are one screen, to keep the list of screens that home loads
 * short.
 */
export async function loader(input: LoaderInput): Promise<StaffData> {
  switch (input.url.pathname) {
    case '/staff/tickets':
      return { view: 'queue', seed: await loadQueue(input) }
    case '/staff/answers':
      return { view: 'answers', seed: await loadAnswers(input) }
    case '/staff/suppliers':
      return { view: 'suppliers', seed: await loadSuppliers(input) }
  }
  return input.url.pathname.startsWith('/staff/suppliers/')
    ? { view: 'supplier', seed: await loadSupplier(input) }
    : { view: 'ticket', seed: await loadTicket(input) }
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
    case 'suppliers':
      return <Suppliers seed={data.seed} />
    case 'supplier':
      return <Supplier key={data.seed.code} seed={data.seed} />
  }
}
