import { type ReactNode, useCallback, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import type { NumberKind } from '#web/numbers/list/number-kind.ts'
import { placeOf, type TicketPlaces } from '#web/numbers/list/ticket-places.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { BulkBar } from './bulk-bar.tsx'
import { endsSoon, type GroupedRows, groupRows, type HeldGroups, waitsForCode } from './group-rows.ts'
import { NumberRow } from './number-row.tsx'
import { useBulkCancel } from './use-bulk-cancel.ts'
import { type Selection, useSelection } from './use-selection.ts'

export type NumberRowsProps<Item extends NumberRecord> = {
  kind: NumberKind<Item>
  tickets: readonly Item[]
  places: TicketPlaces
  itemHeading: 'h2' | 'h3'
  /** False in the list of ended rentals, from which tickets cannot be removed. */
  dismissible: boolean
  renderTicket: (record: Item) => ReactNode
}

/** Lists many numbers in rows of one line, by what they need. All groups are one list, so that a row keeps its focus. */
export function NumberRows<Item extends NumberRecord>(props: NumberRowsProps<Item>) {
  const { kind, tickets, places, itemHeading, dismissible, renderTicket } = props
  const [held, setHeld] = useState<HeldGroups>()
  const groups = useGroups(kind, tickets, held)
  const shown = groups.flatMap(({ records }) => records)
  const selection = useSelection(shown.map(({ id }) => id))
  const { choose } = selection
  const bulk = useBulkCancel(kind)
  const [openPlace, setOpenPlace] = useState<number | null>(null)
  const onOpen = useCallback(
    (id: number) => {
      const place = places[id]?.id ?? id
      setOpenPlace((before) => (before === place ? null : place))
    },
    [places],
  )
  function row(record: Item): ReactNode {
    const place = placeOf(places, record).id
    const isOpen = place === openPlace
    return (
      // A replacement reuses the DOM element of the old row, so the focus stays.
      <li key={place}>
        <NumberRow
          record={record}
          endsAt={kind.endsAt(record)}
          isChosen={selection.chosen.has(record.id)}
          isOpen={isOpen}
          isBusy={bulk.busy.has(record.id)}
          failure={record.final || record.code !== null ? null : (bulk.failures.get(record.id) ?? null)}
          dismissible={dismissible}
          onChoose={choose}
          onOpen={onOpen}
        />
        {isOpen ? <div className="row-panel">{renderTicket(record)}</div> : null}
      </li>
    )
  }
  return (
    <div className="number-rows" data-number-rows>
      <BulkBar
        all={shown}
        chosen={shown.filter(({ id }) => selection.chosen.has(id))}
        waiting={shown.filter(waitsForCode)}
        isBusy={bulk.busy.size > 0}
        onCancel={bulk.run}
        onClear={selection.clear}
      />
      {/* Each button and value names itself, so screen readers need no heads. */}
      <div className="rows-heads" aria-hidden>
        <RowHeads />
        <RowHeads />
      </div>
      <ol
        className="number-rows-list"
        // A row that moved away under the pointer would give its press to another number.
        onPointerEnter={() => setHeld(groupsById(groups))}
        onPointerLeave={() => setHeld(undefined)}
      >
        {groups.flatMap((group) => [
          <GroupHead key={group.group} group={group} heading={itemHeading} selection={selection} />,
          ...group.records.map(row),
          // In two columns it keeps the next group's row from the place beside an odd last one.
          ...(group.records.length % 2 === 0
            ? []
            : [<li key={`after-${group.group}`} className="rows-filler" aria-hidden />]),
        ])}
      </ol>
    </div>
  )
}

function groupsById(groups: readonly GroupedRows<NumberRecord>[]): HeldGroups {
  return new Map(groups.flatMap(({ group, records }) => records.map(({ id }) => [id, group] as const)))
}

function useGroups<Item extends NumberRecord>(
  kind: NumberKind<Item>,
  tickets: readonly Item[],
  held: HeldGroups | undefined,
): GroupedRows<Item>[] {
  const isEndingAt = (record: Item, nowMs: number) => !record.final && endsSoon(record, kind.endsAt(record), nowMs)
  // The hook selects a string, so the component renders only if a row changes its group.
  const ending = useAtNow((nowMs) =>
    tickets
      .filter((record) => isEndingAt(record, nowMs))
      .map(({ id }) => id)
      .join(),
  )
  const ids = new Set(ending.split(',').map(Number))
  return groupRows(tickets, ({ id }) => ids.has(id), held)
}

type GroupHeadProps = { group: GroupedRows<NumberRecord>; heading: 'h2' | 'h3'; selection: Selection }

function GroupHead({ group: { group, records }, heading: Heading, selection }: GroupHeadProps) {
  const t = useTranslations('rows')
  const ids = records.map(({ id }) => id)
  const count = ids.filter((id) => selection.chosen.has(id)).length
  const name = t(`groups.${group}`, { count: records.length })
  return (
    <li className="rows-head">
      <label className="row-check" title={t('chooseGroup', { group: name })}>
        <input
          ref={(box) => {
            if (box !== null) box.indeterminate = count > 0 && count < ids.length
          }}
          type="checkbox"
          className="size-4 accent-(--signal-fill)"
          aria-label={t('chooseGroup', { group: name })}
          checked={count === ids.length}
          onChange={({ currentTarget }) => selection.chooseAll(ids, currentTarget.checked)}
        />
      </label>
      <Heading className="text-[13px] font-semibold text-muted">{name}</Heading>
    </li>
  )
}

function RowHeads() {
  const t = useTranslations('rows.heads')
  return (
    <div>
      <span className="[grid-area:id]">{t('number')}</span>
      <span className="[grid-area:value]">{t('code')}</span>
      <span className="text-right [grid-area:price]">{t('price')}</span>
    </div>
  )
}
