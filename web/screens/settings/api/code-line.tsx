import { CopyButton } from '#web/ui/initial/copy-button.tsx'

/** Renders code whose lines never break. It scrolls in its box, which the keyboard reaches by the button. */
export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="overflow-x-auto rounded border border-hairline bg-surface">
      <div className="flex w-max min-w-full items-center gap-2">
        <pre className="flex-1 py-3 pl-4 font-mono text-[13px] leading-snug">
          <code>{text}</code>
        </pre>
        <span className="sticky right-0 bg-surface p-1">
          <CopyButton text={text} label={label} />
        </span>
      </div>
    </div>
  )
}
