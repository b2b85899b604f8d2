const SHORT_LENGTH = 8

/** Phones show the beginning of the number, by which the search finds it; wide screens and paper show all. */
export function PaymentNumber({ id }: { id: string }) {
  return (
    <>
      <span className="font-mono text-[12px] wrap-anywhere max-lg:hidden print:inline">{id}</span>
      <span className="font-mono text-[12px] lg:hidden print:hidden">{id.slice(0, SHORT_LENGTH)}…</span>
    </>
  )
}
