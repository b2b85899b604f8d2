/** In a text about a payment the bank is the sender and the other brand is the shop. */
export const BANKS: ReadonlySet<string> = new Set(
  'agp amg rv bhi apr apj agm bib avl bvp awk aaa btn my ann lj aff atu bdm ji bhe byf nh bgr aom ij bo py cbz ahe bss'.split(
    ' ',
  ),
)
