import { CopyButton } from '#web/ui/initial/copy-button.tsx'

export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded border border-hairline bg-surface py-1 pr-1 pl-4">
      <code className="min-w-0 flex-1 py-2 font-mono text-[13px] leading-snug break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
