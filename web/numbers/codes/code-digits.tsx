import { codeGroups } from './code-groups.ts'

/** Shows a code in a face of its own. The gaps between groups are only drawn, so that a selection copies the bare code. */
export function CodeDigits({ code, className = '' }: { code: string; className?: string }) {
  return (
    <span className={`font-codes font-bold ${className}`}>
      {codeGroups(code).map(({ start, digits }) => (
        <span key={start} className="not-first:ml-[0.3em]">
          {digits}
        </span>
      ))}
    </span>
  )
}
