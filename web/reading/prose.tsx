import { useEffect, useRef } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import { useNavigate } from '#web/navigation/use-page.ts'

/** Renders the site's only raw HTML. The server makes it from our Markdown and escapes all text (render-text.ts). */
export function Prose({ html }: { html: string }) {
  const navigate = useNavigate()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = root.current
    const follow = (event: MouseEvent) => {
      const path = pathFollowed(event)
      if (path === null) return
      event.preventDefault()
      inBackground(navigate(path))
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  return <div ref={root} className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}

/** Returns the path to which a click leads. Null leaves the click to the browser. */
function pathFollowed(event: MouseEvent): string | null {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const path = link?.getAttribute('href') ?? ''
  return path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/api/') ? path : null
}
