import type { FileType } from '#contract/support/support-constants.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PDF = Buffer.from('%PDF-')
const PDF_END = Buffer.from('%%EOF')
/** Some programs write a few lines after the end of a PDF. */
const PDF_END_WITHIN = 1_024

/** Recognises a file by its first bytes. Returns null if its type is not accepted. */
export function recogniseFile(content: Buffer): FileType | null {
  const begins = (with_: Buffer, at = 0) => content.subarray(at, at + with_.length).equals(with_)
  if (begins(PNG)) return 'image/png'
  if (begins(JPEG)) return 'image/jpeg'
  if (begins(Buffer.from('RIFF')) && begins(Buffer.from('WEBP'), 8)) return 'image/webp'
  if (begins(PDF) && content.subarray(-PDF_END_WITHIN).includes(PDF_END)) return 'application/pdf'
  return null
}

/** Phones often declare a wrong picture type, and pictures are re-encoded anyway, so any picture type is accepted. */
export function isClaimKept(claimed: string, type: FileType): boolean {
  const name = claimed.split(';')[0]?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'application/octet-stream') return true
  return type === 'application/pdf' ? name === type : name.startsWith('image/') && name !== 'image/svg+xml'
}
