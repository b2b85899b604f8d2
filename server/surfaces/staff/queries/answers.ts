import type { Db } from '#server/house/db/pool.ts'

export type AnswerRow = { id: number; title: string; body_ru: string; body_en: string; changed_at: Date }
const COLUMNS = 'id, title, body_ru, body_en, changed_at'

export async function listAnswers(db: Db, limit: number): Promise<AnswerRow[]> {
  const { rows } = await db.query<AnswerRow>({
    name: 'staff-answers',
    text: `SELECT ${COLUMNS} FROM support_answers ORDER BY lower(title) LIMIT $1`,
    values: [limit],
  })
  return rows
}

/** The key of an advisory lock ("answ" in ASCII). With the lock, the limit counts every answer added before. */
const ANSWERS_LOCK = 0x616e7377

type Written = { title: string; ru: string; en: string; staffId: number; now: Date }

/** Stores a ready answer. Returns null if there are already `limit` ready answers. */
export async function insertAnswer(tx: Db, input: Written & { limit: number }): Promise<AnswerRow | null> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [ANSWERS_LOCK] })
  const { rows } = await tx.query<AnswerRow>({
    text: `INSERT INTO support_answers (title, body_ru, body_en, changed_by, changed_at)
      SELECT $title, $ru, $en, $staffId, $now WHERE (SELECT count(*) FROM support_answers) < $limit RETURNING ${COLUMNS}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function updateAnswer(db: Db, input: Written & { id: number }): Promise<AnswerRow | null> {
  const { rows } = await db.query<AnswerRow>({
    text: `UPDATE support_answers SET title = $title, body_ru = $ru, body_en = $en, changed_by = $staffId, changed_at = $now
      WHERE id = $id RETURNING ${COLUMNS}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function deleteAnswer(db: Db, id: number): Promise<string | null> {
  const { rows } = await db.query<{ title: string }>({
    text: 'DELETE FROM support_answers WHERE id = $1 RETURNING title',
    values: [id],
  })
  return rows[0]?.title ?? null
}
