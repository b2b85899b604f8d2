const SHORT_LENGTH = 8

/**
 * Phones show the beginning of the payment's id, by which the search finds it. Wide screens and paper show the id
 * whole.
 */
export function PaymentNumber({ id }: { id: string }) {
  return (
    <>
      <span className="font-mono text-[12px] wrap-anywhere max-lg:hidden print:inline">{id}</span>
      <span className="font-mono text-[12px] lg:hidden print:hidden">{id.slice(0, SHORT_LENGTH)}…</span>
    </>
  )
}
