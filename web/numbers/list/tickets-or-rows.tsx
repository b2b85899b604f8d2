import { lazy, Suspense, useState } from 'react'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberRows, NumberRowsProps } from '#web/numbers/rows/number-rows.tsx'
import { untilOnline } from '#web/ui/lazy-part.tsx'
import { placeOf } from './ticket-places.ts'

type Rows = typeof NumberRows

const load = async () => (await import('#web/numbers/rows/number-rows.tsx')).NumberRows

/** A page that came with rows needs their script at once; other pages load it with the sixth number. */
const ready: Rows | null =
  import.meta.env.SSR || document.querySelector('[data-number-rows]') !== null ? await load() : null

// The cast is safe, because the loaded component is the same; lazy() forgets its type parameter.
const Later = lazy(async () => ({ default: await untilOnline(load).catch(asTickets) })) as unknown as Rows

/** After a new build the script may be gone. The codes stay, as tickets. */
function asTickets(error: unknown): Rows {
  reportError(error)
  return Tickets
}

export function TicketsOrRows<Item extends NumberRecord>(props: NumberRowsProps<Item> & { isMany: boolean }) {
  const { isMany, ...rows } = props
  const [Rows] = useState<Rows>(() => ready ?? Later)
  if (!isMany) return <Tickets {...rows} />
  // The tickets stay until the script of rows has come.
  return (
    <Suspense fallback={<Tickets {...rows} />}>
      <Rows {...rows} />
    </Suspense>
  )
}

function Tickets<Item extends NumberRecord>(props: NumberRowsProps<Item>) {
  const { tickets, places, renderTicket } = props
  return (
    <ol className="flex flex-col gap-3">
      {tickets.map((record) => (
        // A replacement reuses the DOM element of the old ticket, so the focus stays.
        <li key={placeOf(places, record).id}>{renderTicket(record)}</li>
      ))}
    </ol>
  )
}
