import { FileText } from 'lucide-react'
import { useState } from 'react'
import type { SupportFile } from '#contract/support/support.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { downloadSupportFile } from './download-support-file.ts'
import { FileSize } from './file-size.tsx'
import { MessagePicture } from './message-picture.tsx'

export function FileList({ files }: { files: SupportFile[] }) {
  if (files.length === 0) return null
  return (
    <ul className="mt-3 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="max-w-full min-w-0">
          {file.type === 'application/pdf' ? <Attachment file={file} /> : <MessagePicture file={file} />}
        </li>
      ))}
    </ul>
  )
}

/** Renders a file to save. Attachments are never opened on our pages. */
function Attachment({ file }: { file: SupportFile }) {
  const app = useAppContext()
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  async function save(): Promise<void> {
    setPending(true)
    try {
      saveFile(file.name, await downloadSupportFile(app, file.id))
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <button
      type="button"
      aria-disabled={pending}
      aria-busy={pending}
      className="flex min-h-10 max-w-full items-center gap-2 rounded border border-edge bg-surface px-3 text-[15px] hover:bg-sunken"
      onClick={() => (pending ? undefined : inBackground(save()))}
    >
      <FileText size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">{file.name}</span>
      <FileSize bytes={file.bytes} />
    </button>
  )
}
