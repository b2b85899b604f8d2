import type { Locale } from '#contract/constants.ts'
import type { StatusComponent } from '#contract/status/status.ts'
import type { Db } from '#server/house/db/pool.ts'

export type IncidentNote = { at: string } & Record<Locale, string>

export type Incident = {
  id: number
  components: StatusComponent[]
  notes: IncidentNote[]
  opened_at: Date
  closed_at: Date | null
}

/** The maximum number of incidents that are shown. */
const SHOWN = 50
/** The maximum number of notes of an incident, as the table's constraint has it. The last one is left for its end. */
export const MOST_NOTES = 50

/** Lists the incidents under way, and those closed since a time; the newest first. */
export async function listIncidents(db: Db, since: Date): Promise<Incident[]> {
  const { rows } = await db.query<Incident>({
    name: 'incidents-list',
    text: `SELECT id, components, notes, opened_at, closed_at FROM incidents
      WHERE closed_at IS NULL OR closed_at > $1 ORDER BY closed_at IS NOT NULL, opened_at DESC, id DESC LIMIT ${SHOWN}`,
    values: [since],
  })
  return rows
}

export async function insertIncident(
  tx: Db,
  incident: { components: readonly StatusComponent[]; note: IncidentNote; now: Date },
): Promise<number> {
  const { components, note, now } = incident
  const { rows } = await tx.query<{ id: number }>({
    text: `INSERT INTO incidents (components, notes, opened_at) VALUES ($components, $notes::jsonb, $now) RETURNING id`,
    values: { components: [...components], notes: JSON.stringify([note]), now },
  })
  return rows[0]?.id ?? 0
}

/** Adds a note to an incident under way, and closes it if `closes`. Returns false if it is not under way, or full. */
export async function tellOfIncident(
  tx: Db,
  told: { id: number; note: IncidentNote; closes: boolean; now: Date },
): Promise<boolean> {
  const { id, note, closes, now } = told
  const { rowCount } = await tx.query({
    text: `UPDATE incidents SET notes = notes || $note::jsonb,
        closed_at = CASE WHEN $closes THEN GREATEST(opened_at, $now::timestamptz) END
      WHERE id = $id AND closed_at IS NULL
        AND jsonb_array_length(notes) < CASE WHEN $closes THEN ${MOST_NOTES} ELSE ${MOST_NOTES - 1} END`,
    values: { id, note: JSON.stringify([note]), closes, now },
  })
  return rowCount === 1
}
