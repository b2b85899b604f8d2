import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { NotLoaded } from '#web/screens/settings/not-loaded.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export type MadeSecret = { id: number; name: string; secret: string }

export type RowProps<Row> = { record: Row; onSecret: (made: MadeSecret) => void; onRemoved: () => void }

export type SecretProps = { made: MadeSecret; onSaved: () => void }

/** `onMade` receives null if the new record has no secret. */
export type MakeProps = { onMade: (made: MadeSecret | null) => void; onCancel: () => void }

type AdderProps = {
  most: number
  words: { new: string; first: string; emptyTitle: string; emptyText: string; atMost: string }
  /** The look of the button that adds the first record. It can be plain, because a page has only one primary button. */
  firstKind?: 'primary' | 'plain'
  Form: ComponentType<MakeProps>
}

type SecretListProps<Row> = AdderProps & {
  query: UseQueryResult<{ data: Row[] }>
  Row: ComponentType<RowProps<Row>>
  Secret: ComponentType<SecretProps>
}

/** Lists records with secrets, newest first. A new secret stays above the list until the user has saved it. */
export function SecretList<Row extends { id: number }>({ query, Row, Secret, ...adder }: SecretListProps<Row>) {
  const [made, setMade] = useState<MadeSecret | null>(null)
  const records = query.data?.data
  return (
    <>
      {made === null ? null : <Secret key={made.secret} made={made} onSaved={() => setMade(null)} />}
      {records === undefined ? (
        <NotLoaded query={query} skeletons={['h-24', 'h-23']} />
      ) : (
        <>
          {records.length === 0 ? null : (
            <ul className="divide-y divide-hairline">
              {records.map((record) => (
                <Row
                  key={record.id}
                  record={record}
                  onSecret={setMade}
                  onRemoved={() => setMade((shown) => (shown?.id === record.id ? null : shown))}
                />
              ))}
            </ul>
          )}
          <Adder {...adder} count={records.length} secretShown={made !== null} onMade={setMade} />
        </>
      )}
    </>
  )
}

type AdderState = { count: number; secretShown: boolean; onMade: MakeProps['onMade'] }

function Adder({ most, words, firstKind, Form, count, secretShown, onMade }: AdderProps & AdderState) {
  const [open, setOpen] = useState(false)
  if (open) {
    return (
      <Form
        onCancel={() => setOpen(false)}
        onMade={(made) => {
          setOpen(false)
          onMade(made)
        }}
      />
    )
  }
  if (count >= most) return <p className="mt-4 text-muted">{words.atMost}</p>
  if (count > 0) {
    return (
      <Button className="mt-5" onClick={() => setOpen(true)}>
        {words.new}
      </Button>
    )
  }
  return secretShown ? null : (
    <EmptyState drawing="switchboard" title={words.emptyTitle} text={words.emptyText}>
      <Button kind={firstKind} onClick={() => setOpen(true)}>
        {words.first}
      </Button>
    </EmptyState>
  )
}
