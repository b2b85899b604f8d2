import { CopyButton } from '#web/ui/initial/copy-button.tsx'

type CodeBlockProps = { title: string; text: string; copyLabel: string }

export function CodeBlock({ title, text, copyLabel }: CodeBlockProps) {
  return (
    <div className="rounded border border-hairline bg-sunken">
      <div className="flex min-h-10 items-center justify-between gap-2 pr-1 pl-3">
        <p className="py-2 text-sm font-medium">{title}</p>
        <CopyButton text={text} label={copyLabel} />
      </div>
      <pre className="px-3 pb-3 font-mono text-[13px] leading-relaxed wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </div>
  )
}
