import { Skeleton } from '#web/ui/skeleton.tsx'

/** The skeleton has the final size of a ticket, so the page does not shift. */
export function TicketSkeleton() {
  return (
    <div className="@container" aria-hidden>
      <div className="ticket" data-look="waiting">
        <div className="flex flex-col gap-1.5 px-5 py-4">
          <div className="flex items-center gap-3">
            <Skeleton className="size-10" />
            <div className="flex flex-col gap-1.5">
              <Skeleton className="h-4 w-28" />
              <Skeleton className="h-3.5 w-36" />
            </div>
          </div>
          <div className="flex min-h-10 items-center">
            <Skeleton className="h-7 w-56 max-w-full" />
          </div>
          <Skeleton className="h-[21px] w-32" />
        </div>
        <div className="ticket-stub">
          <div className="flex min-h-14 flex-1 items-center">
            <Skeleton className="h-9 w-28" />
          </div>
          <div className="min-h-10" />
        </div>
      </div>
    </div>
  )
}
