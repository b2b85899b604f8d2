import { MINUTE } from '#contract/time.ts'

/** Hands the browser something to keep as a file. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Some browsers begin to read it only after the press.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}
