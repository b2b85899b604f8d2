export function StepNumber({ number, className = '' }: { number: number; className?: string }) {
  return (
    <span
      aria-hidden
      className={`inline-flex size-6 shrink-0 items-center justify-center rounded-full border border-edge text-[13px] font-semibold text-muted tabular-nums ${className}`}
    >
      {number}
    </span>
  )
}
