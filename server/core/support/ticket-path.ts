/** Of the site, for its member. */
export function ticketPath(id: bigint): string {
  return `/support/${id}`
}
