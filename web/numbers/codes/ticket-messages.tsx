import { useTranslations } from 'use-intl'
import type { MessageRecord } from '#contract/activation.ts'
import { useDialogs } from '#web/house/app-context.ts'
import type { NumberKindName, NumberRecord } from '#web/live/numbers-cache.ts'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'
import { MessageTime } from './message-time.tsx'
import { saysName } from './named-text.ts'
import { isClosed, listedMessages } from './notices.ts'

/** A code may be written with separators, such as 833-854 or 833 854. */
const BETWEEN = '[-\\s\\u2010-\\u2013]?'

/** A ticket shows two lines of messages, so that it keeps its height when a code arrives. */
const LINES_ON_TICKET = 2
/** The most characters of a message that fit into a line of the narrowest ticket. */
const FITTING_CHARACTERS = 30

/** Shows the newest messages in two lines. With `most` 1 a single line is left, because the ticket needs the other. */
export function TicketMessages({ record, most = LINES_ON_TICKET }: { record: NumberRecord; most?: 1 | 2 }) {
  const messages = listedMessages(record)
  if (messages.length === 0) return null
  return (
    <>
      <ol className="flex flex-col">
        {newestFirst(messages)
          .slice(0, most)
          .map((message) => (
            <li key={message.id} className="flex items-baseline gap-3">
              <p className={`min-w-0 flex-1 break-words ${most > messages.length ? 'line-clamp-2' : 'line-clamp-1'}`}>
                {message.withheld || saysName(message.text, message.sender) ? null : (
                  <span className="text-muted">{message.sender}: </span>
                )}
                <MessageText message={message} />
              </p>
              <MessageTime at={message.received_at} className="shrink-0 text-right text-[13px] text-muted" />
            </li>
          ))}
      </ol>
      <Folded count={record.folded} />
    </>
  )
}

type MessagesLinkProps = { kind: NumberKindName; record: NumberRecord; count: number; most?: 1 | 2 }

/** Opens the dialog with all messages in full, if the ticket shows less. */
export function MessagesLink({ kind, record, count, most = LINES_ON_TICKET }: MessagesLinkProps) {
  const t = useTranslations('ticket')
  const { open } = useDialogs()
  const shown = listedMessages(record)
  const fits =
    count <= 1 &&
    shown.every(({ sender, text }) => {
      const named = saysName(text, sender) ? text : `${sender}: ${text}`
      return named.length <= most * FITTING_CHARACTERS && !text.includes('\n')
    })
  if (shown.length === 0 || fits) return null
  return (
    <button
      type="button"
      className="min-h-10 font-medium text-signal underline-offset-4 hover:underline"
      onClick={() => open('activation', { kind, id: record.id })}
    >
      {count <= 1 ? t('wholeText') : t('allMessages', { count })}
    </button>
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
              <span className="dotted min-w-0 flex-1">
                {message.sender ? <span className="truncate">{message.sender}</span> : null}
                {message.late && !message.withheld ? <span>{t('late')}</span> : null}
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
