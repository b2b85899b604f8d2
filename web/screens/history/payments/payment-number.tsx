const SHORT_LENGTH = 8

/**
 * Phones show the beginning of the payment number, by which the search finds the payment. Wide screens, paper and the
 * receipt show the whole number.
 */
export function PaymentNumber({ id }: { id: string }) {
  return (
    <>
      <span className="font-mono text-[12px] wrap-anywhere max-lg:hidden print:inline">{id}</span>
      <span className="font-mono text-[12px] lg:hidden print:hidden">{id.slice(0, SHORT_LENGTH)}…</span>
    </>
  )
}
