import { INNER, PUSH_ADDRESS, SECRET } from './reasons.ts'
import { OF_ACCOUNT, ownRows, type Section } from './section.ts'

export const NOTIFICATION_SECTIONS: readonly Section[] = [
  {
    ...ownRows('notifications'),
    columns: [
      'id',
      'category',
      'kind',
      'details',
      'link',
      'channels',
      'created_at',
      'read_at',
      'mailed_at',
      'telegram_at',
    ],
    leftOut: { dedupe_key: INNER },
  },
  {
    ...ownRows('notification_settings', 'user_id'),
    currency: OF_ACCOUNT,
    columns: ['choices', 'balance_limit_micros', 'balance_low_at', 'price_limit_micros', 'changed_at'],
  },
  { ...ownRows('favorite_prices_told', 'service_code'), columns: ['service_code'] },
  {
    ...ownRows('push_subscriptions'),
    columns: ['id', 'session_id', 'created_at', 'gone_at'],
    leftOut: {
      endpoint_hash: SECRET,
      sealed: PUSH_ADDRESS,
      failing_since: INNER,
      failed_at: INNER,
    },
  },
  {
    ...ownRows('telegram_chats', 'user_id'),
    columns: ['telegram_id', 'name', 'wants_codes', 'linked_at', 'closed_at'],
  },
  {
    ...ownRows('telegram_codes', 'message_id'),
    columns: ['message_id', 'queued_at', 'sent_at'],
    leftOut: { job_id: INNER },
  },
  { ...ownRows('channel_rewards'), columns: ['id', 'telegram_id', 'currency', 'amount_micros', 'at'] },
]
