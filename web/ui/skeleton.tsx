/** Renders a placeholder. `className` sets the width and height of the content that it replaces. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`skeleton block ${className}`} />
}
