import type { FileType } from '#contract/support/support-constants.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PDF = Buffer.from('%PDF-')
const PDF_END = Buffer.from('%%EOF')
/** Writers may put a few lines after the end. */
const PDF_END_WITHIN = 1_024

/** By the first bytes. Null: none of the types that are taken. */
export function recogniseFile(content: Buffer): FileType | null {
  const begins = (with_: Buffer, at = 0) => content.subarray(at, at + with_.length).equals(with_)
  if (begins(PNG)) return 'image/png'
  if (begins(JPEG)) return 'image/jpeg'
  if (begins(Buffer.from('RIFF')) && begins(Buffer.from('WEBP'), 8)) return 'image/webp'
  if (begins(PDF) && content.subarray(-PDF_END_WITHIN).includes(PDF_END)) return 'application/pdf'
  return null
}

/** Phones often call a picture by another picture's type, and it is encoded anew anyway: that is no lie. */
export function isClaimKept(claimed: string, type: FileType): boolean {
  const name = claimed.split(';')[0]?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'application/octet-stream') return true
  return type === 'application/pdf' ? name === type : name.startsWith('image/') && name !== 'image/svg+xml'
}
