/**
 * An event for the attempt in `left_behind`, which gave no number: for staff, who are asked why a purchase took long or
 * failed. `at` and `unknown` are parameters: when, and whether the supplier gave no answer.
 */
export const attemptEvents = (
  kind: 'activation' | 'rental',
  { at, unknown }: { at: string; unknown: string },
) => `attempt_event AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT ${at}, '${kind}.attempt-left', user_id, id, jsonb_build_object('attempt', attempt, 'unknown', ${unknown}::boolean,
        'supplier', (SELECT code FROM suppliers WHERE suppliers.id = left_behind.supplier_id))
      FROM left_behind
    )`
