export function ticketPath(id: bigint): string {
  return `/support/${id}`
}
