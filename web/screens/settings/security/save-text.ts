import { saveFile } from '#web/ui/save-file.ts'

export function saveText(fileName: string, text: string): void {
  saveFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }))
}
