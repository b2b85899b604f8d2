import { useTranslations } from 'use-intl'
import type { MessageRecord } from '#contract/activation.ts'
import { CopyButton } from '../copy-button.tsx'
import { LocalTime } from './local-time.tsx'

/** The newest messages of one number, each with its sender and time; the code in a text stands out. */
export function TicketMessages({ messages, limit }: { messages: readonly MessageRecord[]; limit: number }) {
  return (
    <ol className="flex flex-col gap-1.5">
      {newestFirst(messages)
        .slice(0, limit)
        .map((message) => (
          <li key={message.id} className="flex items-baseline gap-3">
            <p className="min-w-0 flex-1 break-words">
              <span className="text-muted">{message.sender}: </span>
              <MessageText message={message} />
            </p>
            <LocalTime at={message.received_at} className="shrink-0 text-right text-[13px] text-muted" />
          </li>
        ))}
    </ol>
  )
}

/** The same for the dialog of one number: whole texts, each of which can be copied. */
export function MessageCards({ messages }: { messages: readonly MessageRecord[] }) {
  const t = useTranslations('ticket')
  return (
    <ol className="flex flex-col divide-y divide-hairline">
      {newestFirst(messages).map((message) => (
        <li key={message.id} className="flex items-start gap-2 py-3 first:pt-0 last:pb-0">
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline gap-3 text-[13px] text-muted">
              <span className="min-w-0 flex-1 truncate">{message.sender}</span>
              <LocalTime at={message.received_at} className="text-right" />
            </p>
            <p className="whitespace-pre-wrap break-words">
              <MessageText message={message} />
            </p>
          </div>
          <CopyButton
            text={message.code ?? message.text}
            label={message.code === null ? t('copyText') : t('copyCode')}
          />
        </li>
      ))}
    </ol>
  )
}

function MessageText({ message }: { message: MessageRecord }) {
  const { code, text } = message
  const at = code === null ? -1 : text.indexOf(code)
  if (code === null || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <strong className="font-mono font-semibold text-received">{code}</strong>
      {text.slice(at + code.length)}
    </>
  )
}

function newestFirst(messages: readonly MessageRecord[]): MessageRecord[] {
  return [...messages].sort(
    (left, right) => Date.parse(right.received_at) - Date.parse(left.received_at) || right.id - left.id,
  )
}
