/**
 * A limit that many accounts share. Up to `usual` anybody is let in. What is left up to `most` is kept for accounts that have
 * fewer than `share` themselves, so one that has many is refused first.
 */
export type FairLimit = { usual: number; share: number; most: number }

export function hasRoom({ usual, share, most }: FairLimit, taken: { all: number; own: number }): boolean {
  return taken.all < usual || (taken.own < share && taken.all < most)
}
