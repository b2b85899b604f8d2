import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { useConfirm } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Link } from '#web/navigation/link.tsx'
import { addressOf, valuesIn } from '#web/screens/doc/examples/call-example.ts'
import { useApiKey } from '#web/screens/doc/panel/reader.tsx'
import { usePaidCall } from '#web/session/use-paid-call.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { BodyField } from './body-field.tsx'
import { type FormErrors, hasBody, isKey, readForm } from './read-form.ts'
import { sendRequest, type TriedAnswer, TriedRefusal } from './send-request.ts'

/** The maximum shown length of a reply, because a complete list has half a megabyte. */
const SHOWN_CHARACTERS = 20_000

type TryCallProps = { call: ReferenceCall }

export function TryCall(props: TryCallProps) {
  const t = useTranslations('reference')
  const [open, setOpen] = useState(false)
  if (open) return <TryForm {...props} />
  return (
    <Button className="justify-self-start" onClick={() => setOpen(true)}>
      {t('try')}
    </Button>
  )
}

type Outcome = TriedAnswer | 'keyMissing' | 'keyWrong' | 'noReply'

/** Renders the form that sends a real call, after a confirmation if the call changes something. */
function TryForm({ call }: TryCallProps) {
  const t = useTranslations('reference')
  const [apiKey] = useApiKey()
  const locale = useLocale()
  const confirm = useConfirm()
  const { pending, pay } = usePaidCall<TriedAnswer>()
  const [fields, setFields] = useState(() => asText(valuesIn(call, 'address')))
  const [body, setBody] = useState(() => JSON.stringify(valuesIn(call, 'body'), null, 2))
  const [errors, setErrors] = useState<FormErrors>({})
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const name = `${call.method} ${call.path}`

  async function send(): Promise<void> {
    const read = readForm(call, { fields, body })
    setErrors(read.errors)
    setOutcome(null)
    if (Object.keys(read.errors).length > 0) return
    if (apiKey === '' && call.scope !== null) return setOutcome('keyMissing')
    if (!isKey(apiKey)) return setOutcome('keyWrong')
    const changes = call.scope === 'buy' || call.scope === 'money'
    if (changes && !(await confirm({ text: t('confirm', { call: name }), action: t('send'), force: true }))) return
    const request = {
      method: call.method,
      address: addressOf(call, read.address),
      body: read.body,
      key: apiKey,
      locale,
    }
    try {
      const answer = await pay({
        about: JSON.stringify(request),
        send: (idempotencyKey) => sendRequest({ ...request, idempotencyKey: call.once ? idempotencyKey : null }),
      })
      if (answer !== null) setOutcome(answer)
    } catch (error) {
      setOutcome(error instanceof TriedRefusal ? error.answer : 'noReply')
    }
  }

  return (
    <form
      aria-label={t('form', { call: name })}
      className="grid gap-3 rounded border border-edge p-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        inBackground(send())
      }}
    >
      {call.fields.map(({ name: field, in: place, required, type }) =>
        place === 'body' ? null : (
          <TextField
            key={field}
            label={required ? t('requiredField', { field }) : field}
            placeholder={type}
            autoComplete="off"
            spellCheck={false}
            value={fields[field] ?? ''}
            error={errors[field] === undefined ? undefined : t('error.required')}
            onChange={({ target }) => setFields({ ...fields, [field]: target.value })}
          />
        ),
      )}
      {hasBody(call) ? (
        <BodyField text={body} onChange={setBody} error={errors.body === undefined ? undefined : t('error.notJson')} />
      ) : null}
      <Button type="submit" kind="primary" className="justify-self-start" aria-disabled={pending !== null}>
        {pending === null ? t('send') : t('sending')}
      </Button>
      <div role="status">{outcome === null ? null : <Outcome outcome={outcome} />}</div>
    </form>
  )
}

function Outcome({ outcome }: { outcome: Outcome }) {
  const t = useTranslations('reference.error')
  if (typeof outcome === 'string') return <p className="text-[15px] text-error">{t(outcome)}</p>
  return <ShownAnswer answer={outcome} />
}

function asText(values: ReferenceCall['example']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function ShownAnswer({ answer: { status, ok, retryAfter, text } }: { answer: TriedAnswer }) {
  const t = useTranslations('reference')
  return (
    <div className="rounded border border-hairline bg-sunken p-3">
      <p className={`text-sm font-medium ${ok ? 'text-received' : 'text-error'}`}>
        {ok ? t('done', { status }) : t('refused', { status })}
      </p>
      {retryAfter === null ? null : <p className="text-sm text-muted">{t('retryAfter', { seconds: retryAfter })}</p>}
      <pre className="mt-2 font-mono text-[13px] leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {text.slice(0, SHOWN_CHARACTERS)}
      </pre>
      <Remedy text={text} ok={ok} />
      {text.length > SHOWN_CHARACTERS ? <p className="mt-2 text-sm text-muted">{t('cut')}</p> : null}
    </div>
  )
}

/** Links a refusal to the page of errors, which says what to do. */
function Remedy({ ok, text }: Pick<TriedAnswer, 'ok' | 'text'>) {
  const t = useTranslations('reference')
  const code = ok ? undefined : /"code": "([A-Z0-9_]+)"/.exec(text)?.[1]
  if (code === undefined) return null
  return (
    <Link to={`/doc/errors#${code}`} className={`mt-2 inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
      {t('remedy', { code })}
    </Link>
  )
}
