const SHORT_LENGTH = 8

/** On phones its beginning, by which the search finds it; whole on wide screens, on paper and on the receipt. */
export function PaymentNumber({ id }: { id: string }) {
  return (
    <>
      <span className="font-mono text-[12px] wrap-anywhere max-lg:hidden print:inline">{id}</span>
      <span className="font-mono text-[12px] lg:hidden print:hidden">{id.slice(0, SHORT_LENGTH)}…</span>
    </>
  )
}
