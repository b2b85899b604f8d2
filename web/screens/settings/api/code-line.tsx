import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { ScrollCode } from '#web/ui/scroll-code.tsx'

type CodeLineProps = { text: string; name: string; label: string }

export function CodeLine({ text, name, label }: CodeLineProps) {
  return (
    <div className="flex min-w-0 items-center gap-2 rounded border border-hairline bg-surface py-1 pr-1 pl-4">
      <ScrollCode text={text} name={name} className="flex-1 py-2 leading-snug" />
      <CopyButton text={text} label={label} />
    </div>
  )
}
