import type { Db } from '#server/house/db/pool.ts'
import type { Letter } from './smtp.ts'

export type DemoMail = { id: bigint; to: string; subject: string; text: string; html: string; at: Date }

export const DEMO_MAILS_KEPT = 200

/** Stores a demo mail once per message id, and deletes the oldest mails. */
export async function keepDemoMail(db: Db, letter: Letter): Promise<void> {
  await db.query({
    name: 'demo-mail-keep',
    text: `WITH old AS (
        DELETE FROM demo_mails WHERE id IN (SELECT id FROM demo_mails ORDER BY id DESC OFFSET $kept)
      )
      INSERT INTO demo_mails (message_id, recipient, subject, body_text, body_html, sent_at)
      VALUES ($messageId, $to, $subject, $text, $html, $sentAt) ON CONFLICT ON CONSTRAINT demo_mails_message_id DO NOTHING`,
    values: { ...letter, kept: DEMO_MAILS_KEPT - 1 },
  })
}

const COLUMNS = 'id, recipient AS "to", subject, body_text AS text, body_html AS html, sent_at AS at'

export async function listDemoMails(db: Db): Promise<DemoMail[]> {
  const { rows } = await db.query<DemoMail>({
    name: 'demo-mail-list',
    text: `SELECT ${COLUMNS} FROM demo_mails ORDER BY id DESC LIMIT $1`,
    values: [DEMO_MAILS_KEPT],
  })
  return rows
}

export async function findDemoMail(db: Db, id: bigint): Promise<DemoMail | null> {
  const { rows } = await db.query<DemoMail>({
    name: 'demo-mail-find',
    text: `SELECT ${COLUMNS} FROM demo_mails WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}
