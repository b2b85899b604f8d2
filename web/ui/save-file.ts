import { MINUTE } from '#contract/time.ts'

export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The URL is revoked late, because some browsers start reading only after the click.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}
