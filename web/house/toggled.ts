/** With the id, or without it when it was there. */
export function toggled<Id>(ids: readonly Id[], id: Id): Id[] {
  return ids.includes(id) ? ids.filter((known) => known !== id) : [...ids, id]
}
