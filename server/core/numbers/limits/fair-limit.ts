/**
 * A limit that many accounts share. Below `usual` entries in total, every account may add one. Between `usual` and
 * `most`, only accounts with fewer than `share` entries may, so that a heavy user is refused first.
 */
export type FairLimit = { usual: number; share: number; most: number }

export function hasRoom({ usual, share, most }: FairLimit, taken: { all: number; own: number }): boolean {
  return taken.all < usual || (taken.own < share && taken.all < most)
}
