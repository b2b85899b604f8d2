import { useTranslations } from 'use-intl'
import type { MessageRecord } from '#contract/activation.ts'
import { useDialogs } from '#web/house/app-context.ts'
import type { NumberKindName, NumberRecord } from '#web/live/numbers-cache.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { MessageTime } from './message-time.tsx'
import { beginsWithName } from './named-text.ts'
import { isClosed, listedMessages } from './notices.ts'

/** A code may be written with separators, such as 833-854 or 833 854. */
const BETWEEN = '[-\\s\\u2010-\\u2013]?'

const MESSAGES_ON_TICKET = 2

type TicketMessagesProps = {
  kind: NumberKindName
  record: NumberRecord
  count: number
}

export function TicketMessages({ kind, record, count }: TicketMessagesProps) {
  const t = useTranslations('ticket')
  const { open } = useDialogs()
  const messages = listedMessages(record)
  if (messages.length === 0) return null
  return (
    <>
      <ol className="flex flex-col gap-1.5">
        {newestFirst(messages)
          .slice(0, MESSAGES_ON_TICKET)
          .map((message) => (
            <li key={message.id} className="flex items-baseline gap-3">
              <p className="min-w-0 flex-1 break-words">
                {message.withheld || beginsWithName(message.text, message.sender) ? null : (
                  <span className="text-muted">{message.sender}: </span>
                )}
                <MessageText message={message} />
              </p>
              <MessageTime at={message.received_at} className="shrink-0 text-right text-[13px] text-muted" />
            </li>
          ))}
      </ol>
      {count <= MESSAGES_ON_TICKET ? null : (
        <button
          type="button"
          className="min-h-10 self-start font-medium text-signal underline-offset-4 hover:underline"
          onClick={() => open('activation', { kind, id: record.id })}
        >
          {t('allMessages', { count })}
        </button>
      )}
      <Folded count={record.folded} />
    </>
  )
}

export function Folded({ count }: { count: number | undefined }) {
  const t = useTranslations('ticket')
  return count === undefined ? null : <p className="text-[13px] text-muted">{t('folded', { count })}</p>
}

export function MessageCards({ messages }: { messages: readonly MessageRecord[] }) {
  const t = useTranslations('ticket')
  return (
    <ol className="flex flex-col divide-y divide-hairline">
      {newestFirst(messages).map((message) => (
        <li key={message.id} className="flex items-start gap-2 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline gap-3 text-[13px] text-muted">
              <span className="min-w-0 flex-1 truncate">
                {message.sender}
                {message.late && !message.withheld ? ` · ${t('late')}` : null}
              </span>
              <MessageTime at={message.received_at} className="text-right" />
            </p>
            <p className="whitespace-pre-wrap break-words">
              <MessageText message={message} />
            </p>
          </div>
          {message.withheld ? null : (
            <CopyButton
              text={message.code ?? message.text}
              label={message.code === null ? t('copyText') : t('copyCode')}
            />
          )}
        </li>
      ))}
    </ol>
  )
}

function MessageText({ message }: { message: MessageRecord }) {
  const t = useTranslations('ticket')
  const { code, text } = message
  if (message.withheld) {
    return <span className="text-muted">{isClosed(message) ? t('notice.unpaid') : t('withheld')}</span>
  }
  const found = code === null ? null : findCodeIn(text, code)
  if (found === null) return text
  return (
    <>
      {text.slice(0, found.start)}
      <strong className="font-mono font-semibold whitespace-nowrap text-received">
        {text.slice(found.start, found.end)}
      </strong>
      {text.slice(found.end)}
    </>
  )
}

function newestFirst(messages: readonly MessageRecord[]): MessageRecord[] {
  return [...messages].sort(
    (left, right) => Date.parse(right.received_at) - Date.parse(left.received_at) || right.id - left.id,
  )
}

export function findCodeIn(text: string, code: string): { start: number; end: number } | null {
  const characters = [...code].map((each) =>
    each.replace(/[^\p{L}\p{N}]/u, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  )
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${characters.join(BETWEEN)}(?![\\p{L}\\p{N}])`, 'u').exec(text)
  const start = found?.index ?? text.indexOf(code)
  return start < 0 ? null : { start, end: start + (found?.[0].length ?? code.length) }
}
