import { FILE_BYTES, INNER, REPEATS, STAFF } from './reasons.ts'
import { ownRows, type Section } from './section.ts'

/** The support sections of the export. Internal notes of staff do not belong to the user and are left out. */
export const SUPPORT_SECTIONS: readonly Section[] = [
  {
    ...ownRows('support_tickets'),
    columns: [
      'id',
      'category',
      'subject',
      'activation_id',
      'rental_id',
      'payment_id',
      'state',
      'unread_member',
      'messages_count',
      'idempotency_key',
      'created_at',
      'changed_at',
      'closed_at',
      'mailed_at',
    ],
    leftOut: {
      answered_by: STAFF,
      taken_by: STAFF,
      taken_at: STAFF,
      unread_staff: INNER,
      waits_since: INNER,
      files_count: INNER,
      files_bytes: INNER,
      input_hash: REPEATS,
    },
  },
  {
    table: 'support_messages',
    rows: `support_messages t
      WHERE t.kind <> 'note' AND t.ticket_id IN (SELECT id FROM support_tickets WHERE user_id = $1) ORDER BY id`,
    columns: ['id', 'ticket_id', 'kind', 'body', 'created_at'],
    leftOut: { author_id: STAFF, idempotency_key: REPEATS, input_hash: REPEATS },
  },
  {
    table: 'support_files',
    rows: `support_files t WHERE t.message_id IS NULL AND t.user_id = $1 OR t.message_id IN (SELECT m.id
        FROM support_tickets s JOIN support_messages m ON m.ticket_id = s.id
        WHERE s.user_id = $1 AND m.kind <> 'note') ORDER BY id`,
    columns: ['id', 'message_id', 'name', 'type', 'width', 'height', 'bytes', 'created_at'],
    leftOut: { content: FILE_BYTES, received_bytes: INNER },
  },
  {
    ...ownRows('support_refunds'),
    columns: ['id', 'ticket_id', 'activation_id', 'rental_id', 'amount_micros', 'currency', 'at'],
    leftOut: { staff_id: STAFF },
  },
]
