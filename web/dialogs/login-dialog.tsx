import { Eye, EyeOff } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { TextField } from '../components/text-field.tsx'
import { useFrame } from '../frame.ts'
import { useFailure } from '../session/failure.ts'
import { redirectPath } from '../session/redirect-path.ts'
import { beginSession } from '../session/session-life.ts'
import { DemoHint } from './demo-hint.tsx'
import { checkLogin, type LoginErrors, type LoginValues } from './login-check.ts'

const EMPTY: LoginValues = { email: '', password: '' }

export function LoginDialog({ redirect }: { redirect?: string | undefined }) {
  const frame = useFrame()
  const t = useTranslations('login')
  const [values, setValues] = useState(EMPTY)
  const emailField = useRef<HTMLInputElement>(null)
  const close = () => frame.dialogs.close('login')
  const { submit, sending, errors } = useSignIn(redirect)

  return (
    <Dialog title={t('title')} onClose={close} initialFocus={emailField}>
      {frame.page.settings.demo ? <DemoHint onFill={setValues} /> : null}
      <form noValidate method="post" className="grid gap-4" onSubmit={(event) => submit(event, values)}>
        <TextField
          ref={emailField}
          label={t('email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={values.email}
          error={errors.email}
          onChange={(event) => setValues({ ...values, email: event.currentTarget.value })}
        />
        <PasswordField
          value={values.password}
          error={errors.password}
          onChange={(password) => setValues({ ...values, password })}
        />
        <Button type="submit" kind="primary" className="mt-1 h-12" aria-disabled={sending}>
          {sending ? t('submitting') : t('submit')}
        </Button>
      </form>
    </Dialog>
  )
}

type PasswordFieldProps = { value: string; error: string | undefined; onChange: (value: string) => void }

function PasswordField({ value, error, onChange }: PasswordFieldProps) {
  const t = useTranslations('login')
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      label={t('password')}
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      end={
        <IconButton
          label={shown ? t('hidePassword') : t('showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon size={18} aria-hidden />
        </IconButton>
      }
    />
  )
}

/** Sends the form once at a time. Errors of fields stand beside them; every other one is an alert, and the form stays as it was. */
function useSignIn(redirect: string | undefined) {
  const frame = useFrame()
  const t = useTranslations('login')
  const navigate = useNavigate()
  const revalidator = useRevalidator()
  const fail = useFailure()
  const [sending, setSending] = useState(false)
  const [errors, setErrors] = useState<LoginErrors>({})

  async function submit(event: FormEvent<HTMLFormElement>, values: LoginValues): Promise<void> {
    event.preventDefault()
    if (sending) return
    const found = checkLogin(values, { required: t('required'), invalidEmail: t('invalidEmail') })
    setErrors(found)
    if (found.email !== undefined || found.password !== undefined) return
    setSending(true)
    try {
      const reply = await frame.api('POST /api/login', { email: values.email.trim(), password: values.password })
      beginSession(frame, reply)
      frame.dialogs.close('login')
      const target = redirectPath(redirect)
      // Without a wish the person stays where they are, and the page is loaded again as theirs.
      await (target === null ? revalidator.revalidate() : navigate(target))
    } catch (error) {
      const fields = error instanceof CallError ? error.errors : {}
      setErrors({ email: fields.email?.[0], password: fields.password?.[0] })
      if (fields.email === undefined && fields.password === undefined) fail(error)
    } finally {
      setSending(false)
    }
  }
  return { submit, sending, errors }
}
