import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SupportFile } from '#contract/support/support.ts'
import { MINUTE } from '#contract/time.ts'
import { useAppContext, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { downloadSupportFile } from './download-support-file.ts'

const KEPT_MS = 5 * MINUTE
const LONGEST_SIDE_PX = 240

/** Renders a picture in its final size. It is fetched as a file, because a URL cannot carry the access token. */
export function MessagePicture({ file }: { file: SupportFile }) {
  const t = useTranslations('support')
  const app = useAppContext()
  const { status } = useSession()
  const { data, isError, refetch } = useQuery({
    queryKey: ['support-file', file.id],
    queryFn: () => downloadSupportFile(app, file.id),
    enabled: status === 'authenticated',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  })
  const url = useAddress(data)
  const { width, height } = shownSize(file)
  const size = { width: `${width}px`, aspectRatio: `${width} / ${height}` }
  if (isError) {
    return (
      <button
        type="button"
        style={size}
        className="min-h-10 max-w-full rounded border border-dashed border-edge px-2 text-sm text-muted"
        onClick={() => inBackground(refetch())}
      >
        {t('pictureFailed')}
      </button>
    )
  }
  const frame = { style: size, className: 'block max-w-full overflow-hidden rounded border border-hairline bg-paper' }
  // A span is rendered, because a link without a URL is no link and may have no accessible name.
  if (url === null) return <span role="img" aria-label={file.name} aria-busy {...frame} />
  return (
    <a href={url} target="_blank" rel="noopener" aria-label={t('openPicture', { name: file.name })} {...frame}>
      <img src={url} alt={file.name} width={width} height={height} className="size-full" />
    </a>
  )
}

function useAddress(content: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (content === undefined) return
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return url
}

function shownSize({ width, height }: SupportFile): { width: number; height: number } {
  const [wide, high] = [width ?? LONGEST_SIDE_PX, height ?? LONGEST_SIDE_PX]
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(wide, high))
  // Even a very narrow picture must be large enough to press.
  const least = 40
  return { width: Math.max(least, Math.round(wide * scale)), height: Math.max(least, Math.round(high * scale)) }
}
