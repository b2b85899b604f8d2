const SHORT_LENGTH = 8

/** Renders a payment's id. Phones show only its beginning, by which the search finds it. */
export function PaymentNumber({ id }: { id: string }) {
  return (
    <>
      <span className="font-mono text-[12px] wrap-anywhere max-lg:hidden print:inline">{id}</span>
      <span className="font-mono text-[12px] lg:hidden print:hidden">{id.slice(0, SHORT_LENGTH)}…</span>
    </>
  )
}
