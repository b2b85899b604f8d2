import { CopyButton } from '#web/ui/initial/copy-button.tsx'

/** Shows a line to copy into a program or a terminal. `label` is the label of the copy button. */
export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded border border-hairline bg-surface py-1 pr-1 pl-4">
      <code className="min-w-0 flex-1 py-2 font-mono text-[13px] leading-snug break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
