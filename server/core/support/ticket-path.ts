/** Returns the path of a ticket on the member's site. */
export function ticketPath(id: bigint): string {
  return `/support/${id}`
}
