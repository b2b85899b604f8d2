import { type DownloadContext, downloadFile } from '#web/session/download.ts'

/** The maximum number of parallel downloads. The server allows three per person, one is left for another tab. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

/** Downloads an attachment, in a queue, because a ticket may show twenty pictures. */
export async function downloadSupportFile(app: DownloadContext, id: number): Promise<Blob> {
  if (running < AT_ONCE) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await downloadFile(app, `/api/v1/support/files/${id}`, {})
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
