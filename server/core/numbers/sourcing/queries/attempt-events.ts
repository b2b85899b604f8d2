/** For staff: the attempt in `left_behind` gave no number. Needs `$now`; `$abandon`: its outcome is unknown. */
export const attemptEvents = (kind: 'activation' | 'rental') => `attempt_event AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT $now, '${kind}.attempt-left', user_id, id, jsonb_build_object('attempt', attempt, 'unknown', $abandon::boolean,
        'supplier', (SELECT code FROM suppliers WHERE suppliers.id = left_behind.supplier_id))
      FROM left_behind
    )`
