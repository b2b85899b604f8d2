import { useEffect, useRef, useState } from 'react'

type ScrollCodeProps = {
  text: string
  /** Names the code for screen readers when it scrolls. */
  name: string
  className?: string
}

/** Renders code whose lines never break. It scrolls sideways in its box, and then the keyboard reaches it. */
export function ScrollCode({ text, name, className = '' }: ScrollCodeProps) {
  const box = useRef<HTMLPreElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth))
    observer.observe(current)
    // The text grows without its box, for example when its font has loaded.
    for (const text of current.children) observer.observe(text)
    return () => observer.disconnect()
  }, [])
  const reached = scrolls ? ({ tabIndex: 0, role: 'group', 'aria-label': name } as const) : {}
  return (
    <pre
      ref={box}
      className={`min-w-0 overflow-x-auto mask-r-from-[calc(100%-1.5rem)] pr-6 font-mono text-[13px] whitespace-pre focus-visible:-outline-offset-2 ${className}`}
      {...reached}
    >
      <code className="inline-block">{text}</code>
    </pre>
  )
}
