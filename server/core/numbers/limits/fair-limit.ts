/**
 * A limit of places, such as open numbers, that many accounts share. Below `usual` taken places, every account may take
 * one. Between `usual` and `most`, only accounts with fewer than `share` places may take one, so a heavy user is
 * refused first.
 */
export type FairLimit = { usual: number; share: number; most: number }

export function hasRoom({ usual, share, most }: FairLimit, taken: { all: number; own: number }): boolean {
  return taken.all < usual || (taken.own < share && taken.all < most)
}
