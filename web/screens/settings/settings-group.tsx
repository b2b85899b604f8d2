import { type ReactNode, useId } from 'react'

type SettingsGroupProps = {
  title: string
  text?: string
  children: ReactNode
}

export function SettingsGroup({ title, text, children }: SettingsGroupProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 border-t border-hairline py-7 first-of-type:border-t-0 lg:grid-cols-[17rem_minmax(0,1fr)] lg:py-9"
    >
      <div className="max-w-xl">
        <h2 id={id} className="text-lg leading-tight font-semibold">
          {title}
        </h2>
        {text === undefined ? null : <p className="mt-1.5 text-muted">{text}</p>}
      </div>
      <div className="max-w-xl min-w-0">{children}</div>
    </section>
  )
}
