export function Postmark({ className }: { className: string }) {
  return (
    <svg
      viewBox="0 0 220 100"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={className}
    >
      <circle cx="50" cy="50" r="46" />
      <circle cx="50" cy="50" r="31" strokeDasharray="3 5" />
      {[22, 36, 50, 64, 78].map((y) => (
        <path key={y} d={`M${y === 50 ? 100 : 94} ${y}q15 -9 30 0t30 0t30 0t30 0`} />
      ))}
    </svg>
  )
}
